#include "postern/model/kinds/number.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/kept_range.hpp"
#include "postern/model/number_family.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/sums.hpp"

#include "kinds/checks.hpp"
#include "kinds/number/check.hpp"
#include "plan/sharing.hpp"

namespace postern::model {
namespace {

Integer range_of(const LevelSum& sum, const Schema& schema) {
  const std::vector<std::int64_t> terms = level_terms(sum, schema);
  const auto [least, most] = std::minmax_element(terms.begin(), terms.end());
  return Integer(*most) - Integer(*least);
}

/// max range / range, rounded half up: the statistic of the widest range weighs 1.
Integer weight_of(const Integer& range, const Integer& most) { return (2 * most + range) / (2 * range); }

const NumberFamily& family_of(const Number& model) { return *find_number_family(model.family); }

Hyper numbers_of_prior(const Number& model, const EncodedNumber& number) {
  if (model.learned) return family_of(model).planning(model.known, statistic_range(number));
  Hyper out{};
  for (std::size_t i = 0; i < model.prior.size(); ++i) out[i] = model.prior[i].get_d();
  return out;
}

Theta theta_of(const Number& model, const NumberLaw& law, const EncodedNumber& number, const Assumed& assumed,
               Rng& rng) {
  Theta theta{};
  if (assumed) {
    std::copy(assumed->begin(), assumed->end(), theta.begin());
    return theta;
  }
  return law.draw_theta(numbers_of_prior(model, number), rng);
}

[[noreturn]] void refuse_empty(const Number& model, const Assumed& assumed) {
  if (assumed) {
    throw Error(ErrorCode::bad_option,
                {"under the parameters assumed no record lies inside the range of '",
                 from_study(model.column), "', and the rest is dropped: no such study can be simulated"});
  }
  throw Error(ErrorCode::bad_prior,
              {"the prior allows parameters under which no record lies inside the range of '",
               from_study(model.column), "', and the rest is dropped: no such study can be simulated"});
}

/// A family of one number with its conjugate prior: all of number_families().
class NumberKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "number"; }
  [[nodiscard]] std::vector<std::string> families() const override {
    std::vector<std::string> names;
    for (const NumberFamily& family : number_families()) names.emplace_back(family.name);
    return names;
  }
  [[nodiscard]] std::string family(const Model& model) const override { return model.get<Number>().family; }
  [[nodiscard]] std::vector<std::string> columns(const Model& model) const override {
    return {model.get<Number>().column};
  }
  void check(const Model& model, const Schema& schema) const override {
    const auto& number = model.get<Number>();
    check_number(number, named_column(number.column, schema));
  }

  /// A sum of squares has a much wider range than a sum of numbers, and a count a narrower one: the weights
  /// even them out.
  [[nodiscard]] std::vector<Block> design(const Study& study, const Request& request,
                                          const Rational& budget) const override {
    const auto& model = study.model.get<Number>();
    const NumberFamily& family = family_of(model);
    const LevelSum sum{model.column, family.transform(model.known)};
    std::vector<WantedBlock> wanted{{"sum", sum}};
    if (family.squares) wanted.push_back({"squares", LevelSum{sum.column, sum.transform, 2}});
    if (model.count_inside) wanted.push_back({"inside", LevelSum{sum.column, sum.transform, 0}});
    std::vector<Integer> ranges;
    for (const WantedBlock& one : wanted)
      ranges.push_back(range_of(one.statistic.get<LevelSum>(), study.schema));
    const Integer most = *std::max_element(ranges.begin(), ranges.end());
    for (std::size_t j = 0; j < wanted.size(); ++j)
      wanted[j].unit = unit_of(weight_of(ranges[j], most), study);
    if (!family.bounded || study.privacy.adjacency == Adjacency::replace_one)
      return share_out_with_count(wanted, study, request, budget);
    // Successes and failures add up to n times the trials: no count is needed.
    wanted.push_back({"mirrored", LevelSum{sum.column, sum.transform, 1, true}});
    return share_out(wanted, study, request, budget);
  }

  [[nodiscard]] Model read(Node& node, const Schema& /*schema*/) const override {
    return read_number(node, *find_number_family(node.text("family")));
  }
  [[nodiscard]] JsonValue write(const Model& of) const override {
    const auto& model = of.get<Number>();
    const NumberFamily& family = family_of(model);
    JsonObject known;
    for (std::size_t i = 0; i < model.known.size(); ++i)
      known.push_back({std::string(family.known[i].name), json_rational(model.known[i])});
    JsonObject out{
        {"kind", json_text("family")},
        {"family", json_text(model.family)},
        {"column", json_text(model.column)},
        {"known", json_object(std::move(known))},
        {"prior", model.learned ? json_text("learned")
                                : json_object({{std::string(family.prior), json_rationals(model.prior)}})}};
    if (model.count_inside) out.push_back({"count_inside", JsonValue{true}});
    return json_object(std::move(out));
  }
  [[nodiscard]] std::string text(const Model& of, const Schema& /*schema*/) const override {
    const auto& model = of.get<Number>();
    const NumberFamily& family = family_of(model);
    std::string text = model.family + ": " + model.column;
    for (std::size_t i = 0; i < model.known.size(); ++i)
      text += ", " + std::string(family.known[i].name) + " " + to_decimal(model.known[i]);
    if (model.learned) return text + ", prior learned";
    return text + ", prior " + std::string(family.prior) + "(" + joined(model.prior) + ")";
  }

  [[nodiscard]] PriorWords prior_words(const Model& model) const override {
    const NumberFamily& family = family_of(model.get<Number>());
    std::vector<std::string> which;
    for (const NamedNumber& number : family.prior_numbers) which.emplace_back(number.name);
    return {std::string(family.prior), family.prior_numbers.size(), joined(which, ", ")};
  }
  [[nodiscard]] Model with_prior(const Model& model, const std::vector<Rational>& numbers) const override {
    Number out = model.get<Number>();
    out.prior = numbers;
    out.learned = false;
    return out;
  }
  [[nodiscard]] bool takes_learned_prior(const Model& /*model*/) const override { return true; }
  [[nodiscard]] bool learned_prior(const Model& model) const override { return model.get<Number>().learned; }
  [[nodiscard]] Model with_learned_prior(const Model& model) const override {
    Number out = model.get<Number>();
    out.prior.clear();
    out.learned = true;
    return out;
  }
  [[nodiscard]] Model without_prior(const Model& model) const override { return with_prior(model, {}); }

  [[nodiscard]] double prior_records(const Model& of) const override {
    const auto& model = of.get<Number>();
    if (model.learned) return 0;
    return family_of(model).prior_records(model.known, model.prior).get_d();
  }
  [[nodiscard]] std::vector<Rational> scaled_prior(const Model& of, const Rational& factor) const override {
    const auto& model = of.get<Number>();
    const NumberFamily& family = family_of(model);
    std::vector<Rational> out = times(model.prior, factor);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (family.prior_numbers[i].name == "mean") out[i] = model.prior[i];
      if (family.prior_numbers[i].name == "variance") out[i] = model.prior[i] / factor;
    }
    return out;
  }

  [[nodiscard]] std::vector<Parameter> parameters(const Study& study) const override {
    const auto& model = study.model.get<Number>();
    const NumberFamily& family = family_of(model);
    std::vector<Parameter> out;
    for (std::size_t i = 0; i < family.parameters.size(); ++i)
      out.push_back({std::string(family.parameters[i]), family.label(i, model.column)});
    return out;
  }
  [[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate(const Study& study, std::int64_t n,
                                                                 const Assumed& assumed,
                                                                 Rng& rng) const override {
    const auto& model = study.model.get<Number>();
    const NumberFamily& family = family_of(model);
    const std::shared_ptr<const NumberLaw> law = family.law(model.known);
    const EncodedNumber number =
        encoded_number(study.schema.at(model.column), family.transform(model.known), family.wholes());
    const KeptRange range(law, number, family.whole);
    const Theta theta = theta_of(model, *law, number, assumed, rng);
    const KeptMass mass = range.mass(theta);
    if (n > 0 && !mass.any()) refuse_empty(model, assumed);
    std::vector<std::int64_t> counts(number.levels(), 0);
    Sums sums;
    std::int64_t outside = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const double t = range.draw(mass, rng, [&](Rng& from) { return law->draw(theta, from); });
      ++counts[static_cast<std::size_t>(number.level_of(t))];
      if (number.lies_outside(t)) ++outside;
      sums.t += t;
      sums.squares += t * t;
    }
    sums.n = static_cast<double>(n);
    const auto end = theta.begin() + static_cast<std::ptrdiff_t>(family.parameters.size());
    return std::make_unique<SimulatedNumbers>(std::vector<double>(theta.begin(), end), std::move(counts),
                                              sums, outside);
  }
};

}  // namespace

const Kind& kind_of(const Number& /*model*/) {
  static const NumberKind kind;
  return kind;
}

void SimulatedNumbers::for_each(
    const std::function<void(std::span<const std::uint32_t>, std::int64_t)>& add) const {
  for (std::uint32_t level = 0; level < counts_.size(); ++level) {
    if (counts_[level] != 0) add({&level, 1}, counts_[level]);
  }
}

}  // namespace postern::model
