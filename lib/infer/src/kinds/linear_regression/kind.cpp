#include "kind.hpp"

#include "postern/model/kinds/linear_regression.hpp"

#include "infer.hpp"
#include "predict.hpp"
#include "public_rows.hpp"
#include "truth.hpp"
#include "width.hpp"

namespace postern::infer {
namespace {

/// A number as a linear function of other columns.
class LinearRegressionKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "linear_regression"; }
  [[nodiscard]] Posterior infer(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                const Conversation& conversation) const override {
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
