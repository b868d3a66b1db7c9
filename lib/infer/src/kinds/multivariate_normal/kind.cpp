#include "kind.hpp"

#include "infer.hpp"
#include "truth.hpp"
#include "width.hpp"

namespace postern::infer {
namespace {

/// Several columns of numbers, normal together.
class MultivariateNormalKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "multivariate_normal"; }
  [[nodiscard]] Posterior infer(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                const Conversation& conversation) const override {
    return infer_vector(sets, options, conversation);
  }
  [[nodiscard]] std::vector<EngineChoice> engines(
      const std::vector<release::RecordSet>& /*sets*/) const override {
    return {EngineChoice::automatic, EngineChoice::moments, EngineChoice::augment, EngineChoice::naive};
  }

  [[nodiscard]] double bytes(const model::Study& study, const model::NoisePlan& /*plan*/,
                             std::optional<std::int64_t> n) const override {
    return vector_bytes(study, n);
  }
  [[nodiscard]] std::unique_ptr<const WidthForecast> widths(const model::Study& study,
                                                            const model::Assumed& /*at*/) const override {
    return std::make_unique<VectorWidths>(study);
  }
  [[nodiscard]] std::vector<double> truth(const std::string& text, const model::Study& study) const override {
    return vector_truth(text, study);
  }
};

}  // namespace

const Kind& multivariate_normal_kind() {
  static const MultivariateNormalKind kind;
  return kind;
}

}  // namespace postern::infer
