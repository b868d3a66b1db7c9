#include "postern/model/kinds/principal_axis.hpp"

#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/model/plan.hpp"

#include "kinds/checks.hpp"
#include "kinds/multivariate_normal/simulate.hpp"
#include "kinds/principal_axis/text.hpp"
#include "kinds/principal_component/assumed.hpp"
#include "plan/sharing.hpp"

namespace postern::model {
namespace {

const PrincipalAxis& of_model(const Model& model) { return model.get<PrincipalAxis>(); }

/// The axis of two numbers, chosen among candidates.
class PrincipalAxisKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "principal_axis"; }
  [[nodiscard]] std::string_view study_kind() const override { return "principal-component"; }
  [[nodiscard]] std::vector<std::string> families() const override { return {}; }
  [[nodiscard]] std::string family(const Model& /*model*/) const override { return "principal-component"; }
  [[nodiscard]] std::vector<std::string> columns(const Model& model) const override {
    return of_model(model).columns;
  }
  void check(const Model& model, const Schema& schema) const override { check_axis(of_model(model), schema); }

  [[nodiscard]] std::vector<Mechanism> mechanisms(const Study& /*study*/) const override {
    return {Mechanism::exponential};
  }
  [[nodiscard]] std::vector<Block> design(const Study& study, const Request& request,
                                          const Rational& budget) const override {
    return share_choices_with_count({{"axis", axis_scores(of_model(study.model), study.schema)}}, study,
                                    request, budget);
  }

  [[nodiscard]] Model read(Node& node, const Schema& schema) const override {
    return read_axis(node, schema);
  }
  [[nodiscard]] JsonValue write(const Model& model) const override { return write_axis(of_model(model)); }
  [[nodiscard]] std::string text(const Model& model, const Schema& /*schema*/) const override {
    const PrincipalAxis& own = of_model(model);
    return "principal-component: the axis of " + joined(own.columns, ", ") + ", sd " + to_decimal(own.sigma) +
           " across it, among " + std::to_string(static_cast<std::size_t>(own.angles) * own.radii.size()) +
           " candidates, prior normal(" + to_decimal(own.variance) + ")";
  }

  [[nodiscard]] PriorWords prior_words(const Model& /*model*/) const override {
    return {"normal", 1, "variance"};
  }
  [[nodiscard]] Model with_prior(const Model& model, const std::vector<Rational>& numbers) const override {
    PrincipalAxis out = of_model(model);
    out.variance = numbers.at(0);
    return out;
  }
  [[nodiscard]] Model without_prior(const Model& model) const override { return with_prior(model, {1}); }
  /// As many as leave the axis' length as uncertain, were it as long as the prior has it.
  [[nodiscard]] double prior_records(const Model& model) const override {
    const double ratio =
        Rational(of_model(model).sigma * of_model(model).sigma / of_model(model).variance).get_d();
    return (1 + ratio) * (1 + ratio) / 2;
  }
  [[nodiscard]] std::vector<Rational> scaled_prior(const Model& model,
                                                   const Rational& factor) const override {
    return {of_model(model).variance / factor};
  }

  [[nodiscard]] std::vector<Parameter> parameters(const Study& /*study*/) const override {
    return component_parameters(2);
  }
  [[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate(const Study& study, std::int64_t n,
                                                                 const Assumed& assumed,
                                                                 Rng& rng) const override {
    refuse_assumed_components(assumed);
    const PrincipalAxis& own = of_model(study.model);
    const double spread = std::sqrt(own.variance.get_d());
    const double sigma = own.sigma.get_d();
    const std::array<double, 2> theta{spread * draw_normal(rng), spread * draw_normal(rng)};
    VectorGatherer records(own.columns, study.schema);
    std::vector<double> x(2);
    for (std::int64_t r = 0; r < n; ++r) {
      const double along = draw_normal(rng);
      for (std::size_t i = 0; i < 2; ++i) x[i] = theta[i] * along + sigma * draw_normal(rng);
      records.add(x);
    }
    return std::move(records).with_truth(component_values(axes_at(theta[0], theta[1], sigma)));
  }
};

}  // namespace

const Kind& kind_of(const PrincipalAxis& /*model*/) {
  static const PrincipalAxisKind kind;
  return kind;
}

}  // namespace postern::model
