#include "kind.hpp"

#include "postern/model/kinds/generalised_linear.hpp"

#include "infer.hpp"
#include "predict.hpp"
#include "query/assumption.hpp"
#include "width.hpp"

namespace postern::infer {
namespace {

/// Odds or counts by other columns, from one release.
class GeneralisedLinearKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "generalised_linear"; }
  [[nodiscard]] Posterior infer(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                const Conversation& conversation) const override {
    return infer_glm(sets, options, conversation);
  }
  [[nodiscard]] std::vector<EngineChoice> engines(
      const std::vector<release::RecordSet>& /*sets*/) const override {
    return {EngineChoice::automatic, EngineChoice::moments};
  }
  [[nodiscard]] double bytes(const model::Study& study, const model::NoisePlan& /*plan*/,
                             std::optional<std::int64_t> /*n*/) const override {
    const auto width = static_cast<double>(study.model.kind().parameters(study).size() + 1);
    const double unknowns = width * (width + 5) / 2;
    return 1e6 + 8 * (7 * width * width + 3 * unknowns * unknowns) * InferOptions{}.chains;
  }
  [[nodiscard]] std::unique_ptr<const WidthForecast> widths(const model::Study& study,
                                                            const model::Assumed& /*at*/) const override {
    return std::make_unique<GlmWidths>(study);
  }
  /// Coefficients that are not given are 0.
  [[nodiscard]] std::vector<double> truth(const std::string& text, const model::Study& study) const override {
    std::vector<NamedParameter> parameters;
    for (model::Parameter& one : study.model.kind().parameters(study)) {
      std::vector<std::string> words{std::move(one.label)};
      words.push_back(std::move(one.name));
      parameters.push_back({std::move(words), false, {}});
    }
    return read_values(text, std::move(parameters));
  }
  [[nodiscard]] std::optional<std::string> usual_target(const model::Study& study) const override {
    return study.model.get<model::GeneralisedLinear>().target;
  }
  [[nodiscard]] std::unique_ptr<const Predictor> predictor(const Basis& basis,
                                                           std::size_t target) const override {
    return odds_predictor(basis, target);
  }
  [[nodiscard]] std::unique_ptr<const NumberPredictor> number_predictor(const Basis& basis,
                                                                        std::size_t target) const override {
    return count_predictor(basis, target);
  }
};

}  // namespace

const Kind& generalised_linear_kind() {
  static const GeneralisedLinearKind kind;
  return kind;
}

}  // namespace postern::infer
