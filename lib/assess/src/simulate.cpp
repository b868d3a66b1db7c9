#include "postern/assess/simulate.hpp"

#include <algorithm>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/kinds/number/kept_range.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/number_family.hpp"
#include "postern/model/vector_family.hpp"
#include "postern/release/noise_law.hpp"

namespace postern::assess {
namespace {

/// Parameters in the order of SimulatedStudy::theta, or nothing: then the prior is to say.
using Assumed = std::optional<std::vector<double>>;

/// Parameters as assumed or from the prior, and out.n records from the parameters.
void draw_records(SimulatedStudy& out, const model::Bernoulli& model, const model::Schema& /*schema*/,
                  const Assumed& assumed, Rng& rng) {
  const double success = assumed ? assumed->front() : draw_beta(model.a.get_d(), model.b.get_d(), rng);
  std::vector<double> cells(2, 1 - success);  // in the order of the column's levels
  cells[model.success] = success;
  out.counts.resize(cells.size());
  draw_multinomial(out.n, cells, out.counts, rng);
  out.theta = {success};
}

void draw_records(SimulatedStudy& out, const model::Categorical& model, const model::Schema& /*schema*/,
                  const Assumed& assumed, Rng& rng) {
  if (assumed) {
    out.theta = *assumed;
  } else {
    std::vector<double> alpha;
    for (const Rational& a : model.alpha) alpha.push_back(a.get_d());
    out.theta.resize(alpha.size());
    draw_dirichlet(alpha, out.theta, rng);
  }
  out.counts.resize(out.theta.size());
  draw_multinomial(out.n, out.theta, out.counts, rng);
}

bool lies_outside(const model::EncodedNumber& number, double t) {
  return t < number.edges.front() || t >= number.edges.back();
}

model::Theta number_theta(const model::Number& model, const model::NumberLaw& law, const Assumed& assumed,
                          Rng& rng) {
  model::Theta theta{};
  if (assumed) {
    std::copy(assumed->begin(), assumed->end(), theta.begin());
    return theta;
  }
  model::Hyper prior{};
  for (std::size_t i = 0; i < model.prior.size(); ++i) prior[i] = model.prior[i].get_d();
  return law.draw_theta(prior, rng);
}

[[noreturn]] void refuse_empty(const model::Number& model, const Assumed& assumed) {
  if (assumed) {
    throw Error(ErrorCode::bad_option,
                {"under the parameters assumed no record lies inside the range of '",
                 from_study(model.column), "', and the rest is dropped: no such study can be simulated"});
  }
  throw Error(ErrorCode::bad_prior,
              {"the prior allows parameters under which no record lies inside the range of '",
               from_study(model.column), "', and the rest is dropped: no such study can be simulated"});
}

void draw_records(SimulatedStudy& out, const model::Number& model, const model::Schema& schema,
                  const Assumed& assumed, Rng& rng) {
  const model::NumberFamily& family = *model::find_number_family(model.family);
  const std::shared_ptr<const model::NumberLaw> law = family.law(model.known);
  const model::EncodedNumber number =
      model::encoded_number(schema.at(model.column), family.transform(model.known), family.wholes());
  const infer::KeptRange range(law, number, family.whole);
  const model::Theta theta = number_theta(model, *law, assumed, rng);
  out.theta.assign(theta.begin(), theta.begin() + static_cast<std::ptrdiff_t>(family.parameters.size()));
  out.counts.assign(number.levels(), 0);
  const infer::KeptMass mass = range.mass(theta);
  if (out.n > 0 && !mass.any()) refuse_empty(model, assumed);
  for (std::int64_t i = 0; i < out.n; ++i) {
    const double t = range.draw(mass, rng, [&](Rng& from) { return law->draw(theta, from); });
    ++out.counts[static_cast<std::size_t>(number.level_of(t))];
    if (lies_outside(number, t)) ++out.outside;
    out.sums.t += t;
    out.sums.squares += t * t;
  }
  out.sums.n = static_cast<double>(out.n);
}

void draw_records(SimulatedStudy& out, const model::MultivariateNormal& model, const model::Schema& schema,
                  const Assumed& assumed, Rng& rng) {
  const std::size_t d = model.columns.size();
  std::vector<model::EncodedNumber> numbers;
  for (const std::string& column : model.columns)
    numbers.push_back(model::encoded_number(schema.at(column), {}, model::Wholes::rounded));
  const model::VectorTheta theta = assumed
                                       ? model::vector_theta(*assumed, d)
                                       : model::draw_normal_inverse_wishart(model::wishart_prior(model), rng);
  out.theta = model::parameter_values(theta);
  out.vector_sums = model::no_vectors(d);
  out.vectors.assign(d, {});
  std::vector<double> x(d);
  std::vector<double> z(d);
  for (std::int64_t r = 0; r < out.n; ++r) {
    bool outside = false;
    for (double& one : z) one = draw_normal(rng);
    for (std::size_t i = 0; i < d; ++i) {
      x[i] = theta.mean[i];
      for (std::size_t k = 0; k < d; ++k) x[i] += theta.root[i * d + k] * z[k];
      const auto level = static_cast<std::size_t>(numbers[i].level_of(x[i]));  // none is dropped
      out.vectors[i].push_back(numbers[i].values.adds[level]);
      outside = outside || lies_outside(numbers[i], x[i]);
    }
    if (outside) ++out.outside;
    model::add_vector(out.vector_sums, x);
  }
}

void draw_records(SimulatedStudy& /*out*/, const model::Quantiles& /*model*/, const model::Schema& /*schema*/,
                  const Assumed& /*assumed*/, Rng& /*rng*/) {
  throw Error(ErrorCode::unsupported, {"a study of quantiles has no parameters to simulate"});
}

/// The exact statistic of a vector's records.
Int128 measure_vectors(const model::Statistic& statistic, const SimulatedStudy& made,
                       const model::MultivariateNormal& model) {
  const auto values = [&](const std::string& column) -> const std::vector<std::int64_t>& {
    const auto found = std::find(model.columns.begin(), model.columns.end(), column);
    return made.vectors[static_cast<std::size_t>(found - model.columns.begin())];
  };
  Int128 total = 0;
  if (const auto* sum = std::get_if<model::LevelSum>(&statistic)) {
    for (const std::int64_t k : values(sum->column)) total += sum->power == 2 ? k * k : k;
    return total;
  }
  const auto* product = std::get_if<model::ProductSum>(&statistic);
  if (product == nullptr) return made.n;
  const std::vector<std::int64_t>& first = values(product->first);
  const std::vector<std::int64_t>& second = values(product->second);
  for (std::size_t r = 0; r < first.size(); ++r) total += Int128{first[r]} * Int128{second[r]};
  return total;
}

/// The exact statistic, from the counts of the model's cells or levels.
std::vector<Int128> measure(const model::Statistic& statistic, const SimulatedStudy& made,
                            const model::Study& study) {
  if (const auto* vector_model = std::get_if<model::MultivariateNormal>(&study.model))
    return {measure_vectors(statistic, made, *vector_model)};
  if (const auto* level = std::get_if<model::LevelCount>(&statistic)) return {made.counts[level->level]};
  if (std::holds_alternative<model::RecordCount>(statistic)) return {made.n};
  if (const auto* sum = std::get_if<model::LevelSum>(&statistic)) {
    const std::vector<std::int64_t> terms = model::level_terms(*sum, study.schema);
    Int128 total = 0;
    for (std::size_t l = 0; l < terms.size(); ++l) total += Int128{made.counts[l]} * Int128{terms[l]};
    return {total};
  }
  return {made.counts.begin(), made.counts.end()};
}

}  // namespace

SimulatedStudy simulate_study(const model::Study& study, const model::NoisePlan& plan,
                              std::optional<std::int64_t> n, Rng& rng) {
  return simulate_study(study, plan, n, std::nullopt, rng);
}

SimulatedStudy simulate_study(const model::Study& study, const model::NoisePlan& plan,
                              std::optional<std::int64_t> n, const std::optional<std::vector<double>>& theta,
                              Rng& rng) {
  const bool hidden = study.privacy.adjacency == model::Adjacency::add_remove;
  if (!hidden && !n) throw Error(ErrorCode::usage, {"with public n a simulated study needs n"});
  SimulatedStudy out;
  out.n = n ? *n
            : static_cast<std::int64_t>(
                  draw_below(static_cast<std::uint64_t>(*study.privacy.n_at_most) + 1, rng));
  std::visit([&](const auto& m) { draw_records(out, m, study.schema, theta, rng); }, study.model);

  out.release.release_id = std::string(32, '0');
  out.release.created = "2000-01-01";
  out.release.software = "simulation";
  out.release.study = study;
  out.release.mechanism = plan.mechanism;
  out.release.cost = plan.cost;
  out.release.ledger = {1, std::string(64, '0'), std::string(32, '0')};
  if (hidden) {
    out.release.n = release::PrivateCount{*study.privacy.n_at_most};
  } else {
    out.release.n = release::PublicCount{out.n};
  }
  for (const model::Block& block : plan.measurement.blocks) {
    const release::NoiseLaw law = release::noise_law(block.noise);
    std::vector<Int128> values = measure(block.statistic, out, study);
    for (Int128& value : values) value += release::simulate(law, rng);
    out.release.blocks.push_back({block, std::move(values)});
  }
  return out;
}

}  // namespace postern::assess
