#include "postern/model/kinds/wide_components.hpp"

#include <algorithm>
#include <cmath>

#include "postern/model/kinds/linear_regression.hpp"
#include "postern/model/plan.hpp"

#include "kinds/checks.hpp"
#include "kinds/multivariate_normal/planning.hpp"
#include "kinds/multivariate_normal/simulate.hpp"
#include "kinds/principal_component/assumed.hpp"
#include "kinds/wide_components/text.hpp"

namespace postern::model {
namespace {

const WideComponents& of_model(const Model& model) { return model.get<WideComponents>(); }

/// The study of a regression of the last column on the others, which measures what this one does.
Study regression_study(const Study& study) {
  const WideComponents& own = of_model(study.model);
  LinearRegression regression;
  regression.features.assign(own.columns.begin(), own.columns.end() - 1);
  regression.target = own.columns.back();
  regression.prior.slopes = 1;
  Study out = study;
  out.model = std::move(regression);
  return out;
}

/// A law of the columns. Of a half-t prior, which allows any deviation, one whose columns' bounds hold nearly
/// all records, as the engine presumes: deviations are drawn until they do, means are drawn in.
VectorTheta draw_truth(const WideComponents& model, Rng& rng) {
  constexpr double kReach = 2.5;  // standard deviations that bounds hold
  constexpr int kTries = 20'000;
  const std::size_t d = model.columns.size();
  const WishartPrior prior = wide_prior(model);
  VectorTheta theta = draw_normal_inverse_wishart(prior, rng);
  if (model.learned || !model.prior) return theta;
  const auto largest = [&] {
    double most = 0;
    for (std::size_t i = 0; i < d; ++i) most = std::max(most, std::sqrt(theta.covariance[i * d + i]));
    return most;
  };
  for (int tried = 0; tried < kTries && kReach * largest() > 1; ++tried)
    theta = draw_normal_inverse_wishart(prior, rng);
  if (const double shrink = kReach * largest(); shrink > 1) {
    for (double& x : theta.root) x /= shrink;
    for (double& x : theta.covariance) x /= shrink * shrink;
  }
  for (std::size_t i = 0; i < d; ++i) {
    const double room = 1 - kReach * std::sqrt(theta.covariance[i * d + i]);
    if (std::abs(theta.mean[i]) > room) theta.mean[i] = room * (2 * rng.uniform() - 1);
  }
  return theta;
}

/// Directions in which many numbers vary most.
class WideComponentsKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "wide_components"; }
  [[nodiscard]] std::string_view study_kind() const override { return "principal-component"; }
  [[nodiscard]] std::vector<std::string> families() const override { return {}; }
  [[nodiscard]] std::string family(const Model& /*model*/) const override { return "principal-component"; }
  [[nodiscard]] std::vector<std::string> columns(const Model& model) const override {
    return of_model(model).columns;
  }
  void check(const Model& model, const Schema& schema) const override { check_wide(of_model(model), schema); }
  [[nodiscard]] std::vector<Block> design(const Study& study, const Request& request,
                                          const Rational& budget) const override {
    return kind_of(LinearRegression{}).design(regression_study(study), request, budget);
  }

  [[nodiscard]] Model read(Node& node, const Schema& /*schema*/) const override { return read_wide(node); }
  [[nodiscard]] JsonValue write(const Model& model) const override { return write_wide(of_model(model)); }
  [[nodiscard]] std::string text(const Model& model, const Schema& /*schema*/) const override {
    const WideComponents& own = of_model(model);
    return "principal-component: " + std::to_string(own.components) + " of " + joined(own.columns, ", ") +
           ", by " + (own.correlation ? "correlation" : "covariance");
  }

  [[nodiscard]] PriorWords prior_words(const Model& model) const override {
    if (of_model(model).prior) return half_t_words();
    return {"components", 3, "weight, degrees, spread"};
  }
  [[nodiscard]] Model with_prior(const Model& model, const std::vector<Rational>& numbers) const override {
    WideComponents out = of_model(model);
    out.learned = false;
    if (out.prior) {
      out.prior = half_t(numbers);
      return out;
    }
    out.weight = numbers.at(0);
    out.degrees = numbers.at(1);
    out.spread = numbers.at(2);
    return out;
  }
  [[nodiscard]] Model without_prior(const Model& model) const override {
    WideComponents bare = of_model(model);
    bare.prior.reset();
    return with_prior(bare, {1, static_cast<long>(bare.columns.size()) + 2, 1});
  }
  [[nodiscard]] bool takes_learned_prior(const Model& /*model*/) const override { return true; }
  [[nodiscard]] bool learned_prior(const Model& model) const override { return of_model(model).learned; }
  [[nodiscard]] Model with_learned_prior(const Model& model) const override {
    WideComponents out = of_model(model);
    out.learned = true;
    return out;
  }
  [[nodiscard]] double prior_records(const Model& model) const override {
    const WideComponents& own = of_model(model);
    if (own.learned) return 0;
    if (!own.prior) return std::max<Rational>(own.weight, own.degrees).get_d();
    return wide_prior(own).degrees;
  }
  /// Degrees stay above d + 1.
  [[nodiscard]] std::vector<Rational> scaled_prior(const Model& model,
                                                   const Rational& factor) const override {
    const WideComponents& own = of_model(model);
    if (own.prior) return scaled_half_t(*own.prior, factor);
    const Rational least = static_cast<long>(own.columns.size()) + 1;
    return {own.weight * factor, least + (own.degrees - least) * factor, own.spread};
  }

  [[nodiscard]] std::vector<std::string> notes(const Model& model) const override {
    if (of_model(model).learned || !of_model(model).prior) return {};
    return {
        "simulated studies are such that declared bounds hold nearly all records, which the posterior does "
        "not take for granted: where noise leaves much open its intervals are wider than these studies need"};
  }

  [[nodiscard]] std::vector<Parameter> parameters(const Study& study) const override {
    return component_parameters(of_model(study.model).columns.size());
  }
  [[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate(const Study& study, std::int64_t n,
                                                                 const Assumed& assumed,
                                                                 Rng& rng) const override;
};

std::unique_ptr<const SimulatedRecords> WideComponentsKind::simulate(const Study& study, std::int64_t n,
                                                                     const Assumed& assumed, Rng& rng) const {
  refuse_assumed_components(assumed);
  const WideComponents& own = of_model(study.model);
  std::vector<RegressionScale> scales;
  for (const std::string& name : own.columns) scales.push_back(regression_scale(study.schema.at(name)));
  const VectorTheta theta = draw_truth(own, rng);
  VectorGatherer records(own.columns, study.schema, std::move(scales));
  records.draw(theta, n, rng);
  return std::move(records).with_truth(component_values(wide_axes(own, study.schema, theta.covariance)));
}

}  // namespace

const Kind& kind_of(const WideComponents& /*model*/) {
  static const WideComponentsKind kind;
  return kind;
}

WishartPrior wide_prior(const WideComponents& model) {
  const std::size_t d = model.columns.size();
  if (model.learned) {
    WishartPrior out{std::vector<double>(d), static_cast<double>(kPlannedWeight),
                     static_cast<double>(kPlannedDegrees) + static_cast<double>(d),
                     std::vector<double>(d * d)};
    for (std::size_t i = 0; i < d; ++i) out.scale[i * d + i] = planned_scale().get_d();
    return out;
  }
  if (model.prior) {
    WishartPrior out{std::vector<double>(d), model.prior->weight.get_d(),
                     model.prior->degrees.get_d() + static_cast<double>(d) - 1, std::vector<double>(d * d),
                     true};
    for (std::size_t i = 0; i < d; ++i) out.scale[i * d + i] = mean_scale(*model.prior).get_d();
    return out;
  }
  const double degrees = model.degrees.get_d();
  WishartPrior out{std::vector<double>(d), model.weight.get_d(), degrees, std::vector<double>(d * d)};
  for (std::size_t i = 0; i < d; ++i)
    out.scale[i * d + i] = (degrees - static_cast<double>(d) - 1) * model.spread.get_d();
  return out;
}

PrincipalAxes wide_axes(const WideComponents& model, const Schema& schema,
                        const std::vector<double>& scaled) {
  const std::size_t d = model.columns.size();
  std::vector<double> halves;
  for (std::size_t i = 0; i < d; ++i)
    halves.push_back(model.correlation ? 1 / std::sqrt(scaled[i * d + i])
                                       : regression_scale(schema.at(model.columns[i])).half);
  std::vector<double> natural(d * d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) natural[i * d + j] = halves[i] * halves[j] * scaled[i * d + j];
  }
  return principal_axes(std::move(natural), d);
}

}  // namespace postern::model
