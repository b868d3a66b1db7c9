#include "postern/model/kinds/generalised_linear.hpp"

#include "postern/model/plan.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/model/study.hpp"

#include "kinds/checks.hpp"
#include "kinds/generalised_linear/advice.hpp"
#include "kinds/generalised_linear/simulate.hpp"
#include "kinds/generalised_linear/text.hpp"
#include "kinds/learned.hpp"
#include "kinds/regression.hpp"
#include "plan/sharing.hpp"

namespace postern::model {
namespace {

/// The blocks of a study's measurement that have coordinates.
std::vector<Moments> parts_of(const Study& study) {
  const auto& model = study.model.get<GeneralisedLinear>();
  const bool centred = study.privacy.adjacency == Adjacency::add_remove;
  std::vector<Moments> out;
  for (const MomentPart part :
       {MomentPart::x, MomentPart::y, MomentPart::x_squares, MomentPart::xx, MomentPart::xy}) {
    if (part == MomentPart::xx && !model.feature_products) continue;
    Moments one{model.features, model.target, model.steps, part, part == MomentPart::x_squares && centred};
    if (!moment_pairs(one, study.schema).empty()) out.push_back(std::move(one));
  }
  return out;
}

/// Odds or counts by other columns, from noisy sums of products.
class GeneralisedLinearKind : public Kind {
 public:
  explicit GeneralisedLinearKind(GlmFamily family) : family_(family) {}
  [[nodiscard]] std::string_view name() const override { return "generalised_linear"; }
  [[nodiscard]] std::string_view study_kind() const override { return to_text(family_); }
  [[nodiscard]] std::vector<std::string> families() const override { return {}; }
  [[nodiscard]] std::string family(const Model& /*model*/) const override {
    return std::string(to_text(family_));
  }
  /// The features, the target last.
  [[nodiscard]] std::vector<std::string> columns(const Model& of) const override {
    const auto& model = of.get<GeneralisedLinear>();
    return regression_columns(model.features, model.target);
  }
  void check(const Model& model, const Schema& schema) const override {
    check_glm(model.get<GeneralisedLinear>(), schema);
  }

  /// Noise in proportion to what a record can add, as of a linear regression (statistic/moments/cost.md).
  [[nodiscard]] std::vector<Block> design(const Study& study, const Request& request,
                                          const Rational& budget) const override {
    const Rational twice = study.privacy.currency == Currency::pure ? 1 : 2;
    std::vector<WantedBlock> wanted;
    if (study.privacy.adjacency == Adjacency::add_remove) wanted.push_back({"count", RecordCount{}});
    for (const Moments& one : parts_of(study)) {
      const Rational unit = unit_of(moment_unit(one), study);
      const bool square = one.part == MomentPart::x_squares;
      wanted.push_back({std::string(to_text(one.part)), one, square ? unit : Rational(twice * unit)});
    }
    return share_out(wanted, study, request, budget);
  }

  [[nodiscard]] Model read(Node& node, const Schema& schema) const override {
    return read_glm(node, family_, schema);
  }
  [[nodiscard]] JsonValue write(const Model& model) const override {
    return write_glm(model.get<GeneralisedLinear>());
  }
  [[nodiscard]] std::string text(const Model& of, const Schema& /*schema*/) const override {
    const auto& model = of.get<GeneralisedLinear>();
    return std::string(to_text(family_)) + ": " + model.target + " on " + joined(model.features, ", ") +
           (model.feature_products ? "" : ", without products of two features") + ", prior " +
           (model.learned ? kLearned : "normal(" + to_decimal(model.prior_sd) + ")");
  }

  [[nodiscard]] PriorWords prior_words(const Model& /*model*/) const override {
    return {"normal", 1, "standard deviation of a scaled column's coefficient"};
  }
  [[nodiscard]] Model with_prior(const Model& of, const std::vector<Rational>& numbers) const override {
    GeneralisedLinear model = of.get<GeneralisedLinear>();
    model.prior_sd = numbers.at(0);
    model.learned = false;
    return model;
  }
  [[nodiscard]] bool takes_learned_prior(const Model& /*model*/) const override { return true; }
  [[nodiscard]] bool learned_prior(const Model& of) const override {
    return of.get<GeneralisedLinear>().learned;
  }
  /// Planned for with the default's number.
  [[nodiscard]] Model with_learned_prior(const Model& of) const override {
    GeneralisedLinear model = of.get<GeneralisedLinear>();
    model.prior_sd = default_glm_sd(family_);
    model.learned = true;
    return model;
  }
  [[nodiscard]] Model without_prior(const Model& of) const override { return with_prior(of, {1}); }
  /// A record of a scaled column says at most 1/4 about the precision of an effect on odds, and about as much
  /// as its count of one on counts.
  [[nodiscard]] double prior_records(const Model& of) const override {
    if (learned_prior(of)) return 0;
    const double sd = of.get<GeneralisedLinear>().prior_sd.get_d();
    return (family_ == GlmFamily::logistic ? 4 : 1) / (sd * sd);
  }
  [[nodiscard]] std::vector<Rational> scaled_prior(const Model& of, const Rational& factor) const override {
    const Rational& sd = of.get<GeneralisedLinear>().prior_sd;
    return {root_below(sd * sd / factor)};
  }

  [[nodiscard]] std::vector<std::string> advice(const Study& study, const NoisePlan& plan,
                                                std::optional<std::int64_t> n) const override {
    return advise_glm(study, plan, n);
  }

  /// "beta.1", the intercept; "beta.2", ..., the slopes.
  [[nodiscard]] std::vector<Parameter> parameters(const Study& study) const override {
    const auto& model = study.model.get<GeneralisedLinear>();
    return coefficient_parameters(model.features, model.target, true, study.schema);
  }
  [[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate(const Study& study, std::int64_t n,
                                                                 const Assumed& assumed,
                                                                 Rng& rng) const override {
    return simulate_glm(study.model.get<GeneralisedLinear>(), study.schema, n, assumed, rng);
  }

 private:
  GlmFamily family_;
};

}  // namespace

std::string_view to_text(GlmFamily family) {
  return family == GlmFamily::poisson ? "poisson-regression" : "logistic-regression";
}

Rational default_glm_sd(GlmFamily family) { return family == GlmFamily::poisson ? 1 : Rational(5, 2); }

const Kind& kind_of(const GeneralisedLinear& model) {
  static const GeneralisedLinearKind logistic(GlmFamily::logistic);
  static const GeneralisedLinearKind poisson(GlmFamily::poisson);
  return model.family == GlmFamily::poisson ? poisson : logistic;
}

}  // namespace postern::model
