#include "postern/model/kinds/linear_regression.hpp"

#include <algorithm>

#include "postern/model/plan.hpp"

#include "kinds/checks.hpp"
#include "kinds/learned.hpp"
#include "kinds/linear_regression/advice.hpp"
#include "kinds/linear_regression/blocks.hpp"
#include "kinds/linear_regression/simulate.hpp"
#include "kinds/linear_regression/text.hpp"
#include "kinds/regression.hpp"

namespace postern::model {
namespace {

constexpr const char* kWord = "linear-regression";

/// A number as a linear function of numbers and categories, from noisy sums of products.
class LinearRegressionKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "linear_regression"; }
  [[nodiscard]] std::string_view study_kind() const override { return kWord; }
  [[nodiscard]] std::vector<std::string> families() const override { return {}; }
  [[nodiscard]] std::string family(const Model& /*model*/) const override { return kWord; }
  /// The features, the target last.
  [[nodiscard]] std::vector<std::string> columns(const Model& of) const override {
    const auto& model = of.get<LinearRegression>();
    return regression_columns(model.features, model.target);
  }
  void check(const Model& model, const Schema& schema) const override {
    check_regression(model.get<LinearRegression>(), schema);
  }

  [[nodiscard]] std::vector<Block> design(const Study& study, const Request& request,
                                          const Rational& budget) const override {
    return design_moments(study, request, budget);
  }

  [[nodiscard]] Model read(Node& node, const Schema& schema) const override {
    return read_regression(node, schema);
  }
  [[nodiscard]] JsonValue write(const Model& model) const override {
    return write_regression(model.get<LinearRegression>());
  }
  [[nodiscard]] std::string text(const Model& of, const Schema& /*schema*/) const override {
    const auto& model = of.get<LinearRegression>();
    return std::string(kWord) + ": " + model.target + " on " + joined(model.features, ", ") +
           (model.feature_products ? "" : ", without products of two features") + ", prior " +
           (model.learned ? kLearned : "regression(" + joined(prior_numbers(model.prior)) + ")");
  }

  [[nodiscard]] PriorWords prior_words(const Model& /*model*/) const override {
    return {"regression", 6, "slopes, intercept, shape, rate, spread, mean_weight"};
  }
  [[nodiscard]] Model with_prior(const Model& of, const std::vector<Rational>& numbers) const override {
    LinearRegression model = of.get<LinearRegression>();
    model.prior = regression_prior(numbers);
    model.learned = false;
    return model;
  }
  [[nodiscard]] bool takes_learned_prior(const Model& /*model*/) const override { return true; }
  [[nodiscard]] bool learned_prior(const Model& of) const override {
    return of.get<LinearRegression>().learned;
  }
  /// Planned for with the default's numbers.
  [[nodiscard]] Model with_learned_prior(const Model& of) const override {
    LinearRegression model = of.get<LinearRegression>();
    const Rational slopes = model.prior.slopes;
    model.prior = {};
    model.prior.slopes = slopes;
    model.learned = true;
    return model;
  }
  [[nodiscard]] Model without_prior(const Model& of) const override {
    LinearRegression model = of.get<LinearRegression>();
    model.prior = {};
    model.learned = false;
    return model;
  }
  /// Of sigma2, which twice the shape records would leave as uncertain, or of the slopes.
  [[nodiscard]] double prior_records(const Model& of) const override {
    if (learned_prior(of)) return 0;
    const RegressionPrior& prior = of.get<LinearRegression>().prior;
    return std::max<Rational>(prior.slopes, 2 * prior.shape).get_d();
  }
  [[nodiscard]] std::vector<Rational> scaled_prior(const Model& of, const Rational& factor) const override {
    RegressionPrior prior = of.get<LinearRegression>().prior;
    for (Rational* one : {&prior.slopes, &prior.intercept, &prior.shape, &prior.rate, &prior.mean_weight})
      *one *= factor;
    return prior_numbers(prior);
  }

  [[nodiscard]] std::vector<std::string> notes(const Model& /*model*/) const override {
    return {
        "simulated studies are such that declared bounds hold nearly all records, which the posterior does "
        "not take for granted: where noise leaves much open its intervals are wider than these studies need, "
        "and the truth of sigma has low ranks"};
  }
  [[nodiscard]] std::vector<std::string> advice(const Study& study, const NoisePlan& plan,
                                                std::optional<std::int64_t> n) const override {
    return advise_regression(study, plan, n);
  }

  /// "beta.1", the intercept; "beta.2", ..., the slopes; "sigma".
  [[nodiscard]] std::vector<Parameter> parameters(const Study& study) const override {
    const auto& model = study.model.get<LinearRegression>();
    std::vector<Parameter> out = coefficient_parameters(model.features, model.target, true, study.schema);
    out.push_back({"sigma", "sd of " + model.target + " around the line"});
    return out;
  }
  [[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate(const Study& study, std::int64_t n,
                                                                 const Assumed& assumed,
                                                                 Rng& rng) const override {
    return simulate_regression(study.model.get<LinearRegression>(), study.schema, n, assumed, rng);
  }
};

}  // namespace

const Kind& kind_of(const LinearRegression& /*model*/) {
  static const LinearRegressionKind kind;
  return kind;
}

}  // namespace postern::model
