#include "kind.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/infer/foresight.hpp"
#include "postern/infer/regression/chain.hpp"
#include "postern/model/kinds/linear_regression.hpp"
#include "postern/model/statistic/moments.hpp"

#include "foresight/memory.hpp"
#include "infer.hpp"
#include "predict.hpp"
#include "public_rows.hpp"
#include "truth.hpp"
#include "width.hpp"

namespace postern::infer {
namespace {

/// Chains take so many columns, of which a category is one a level but the first. Throws engine_limit.
void check_columns(const model::Study& study) {
  const auto& model = study.model.get<model::LinearRegression>();
  const std::size_t columns = model::feature_entries(model.features, model.target, study.schema).size();
  if (columns <= kMostFeatures) return;
  const auto levels = [&](const std::string& name) {
    const model::Column& column = study.schema.at(name);
    return model::is_regression_number(column) ? 1U : column.levels();
  };
  const auto widest = std::ranges::max_element(model.features, {}, levels);
  throw Error(ErrorCode::engine_limit,
              {"its features are ", public_number(columns),
               " columns, since a category is one for each level but the first, and `infer` takes ",
               public_number(kMostFeatures), "; '", from_study(*widest), "' has ",
               public_number(levels(*widest)), " levels: merge some of them, or leave features out"});
}

/// A number as a linear function of other columns.
class LinearRegressionKind : public Kind, public Foresees {
 public:
  [[nodiscard]] std::string_view name() const override { return "linear_regression"; }
  [[nodiscard]] Posterior infer(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                const Conversation& conversation) const override {
    check_columns(sets.front().front()->study);
    return infer_regression(sets, options, conversation);
  }
  [[nodiscard]] std::vector<EngineChoice> engines(
      const std::vector<release::RecordSet>& /*sets*/) const override {
    return {EngineChoice::automatic, EngineChoice::moments, EngineChoice::naive};
  }
  [[nodiscard]] bool takes_public_rows() const override { return true; }
  [[nodiscard]] PublicRows sum_public_rows(const std::vector<PublicColumn>& columns,
                                           const model::Study& study) const override {
    return sum_regression_rows(columns, study);
  }
  [[nodiscard]] double bytes(const model::Study& study, const model::NoisePlan& /*plan*/,
                             std::optional<std::int64_t> /*n*/) const override {
    return regression_bytes(study);
  }
  void check_plan(const model::Study& study, const model::NoisePlan& plan,
                  std::optional<std::int64_t> n) const override {
    check_columns(study);
    check_planned_bytes(*this, study, plan, n);
  }
  [[nodiscard]] std::unique_ptr<const WidthForecast> widths(const model::Study& study,
                                                            const model::Assumed& /*at*/) const override {
    return std::make_unique<RegressionWidths>(study);
  }
  [[nodiscard]] std::vector<double> truth(const std::string& text, const model::Study& study) const override {
    return regression_truth(text, study);
  }
  [[nodiscard]] std::optional<std::string> usual_target(const model::Study& study) const override {
    return study.model.get<model::LinearRegression>().target;
  }
  [[nodiscard]] std::unique_ptr<const NumberPredictor> number_predictor(const Basis& basis,
                                                                        std::size_t target) const override {
    return regression_predictor(basis, target);
  }
};

}  // namespace

const Kind& linear_regression_kind() {
  static const LinearRegressionKind kind;
  return kind;
}

}  // namespace postern::infer
