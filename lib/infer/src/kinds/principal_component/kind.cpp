#include "kind.hpp"

#include "postern/core/error.hpp"
#include "postern/model/kinds/principal_component.hpp"

#include "infer.hpp"
#include "kinds/multivariate_normal/width.hpp"
#include "width.hpp"

namespace postern::infer {
namespace {

/// Directions in which several numbers vary most.
class PrincipalComponentKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "principal_component"; }
  [[nodiscard]] Posterior infer(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                const Conversation& conversation) const override {
    return infer_components(sets, options, conversation);
  }
  [[nodiscard]] std::vector<EngineChoice> engines(
      const std::vector<release::RecordSet>& /*sets*/) const override {
    return {EngineChoice::automatic, EngineChoice::moments, EngineChoice::augment, EngineChoice::naive};
  }
  [[nodiscard]] double bytes(const model::Study& study, const model::NoisePlan& /*plan*/,
                             std::optional<std::int64_t> n) const override {
    model::Study normal = study;
    normal.model = study.model.get<model::PrincipalComponent>().normal;
    return vector_bytes(normal, n);
  }
  [[nodiscard]] std::unique_ptr<const WidthForecast> widths(const model::Study& study,
                                                            const model::Assumed& /*at*/) const override {
    return std::make_unique<ComponentWidths>(study);
  }
  [[nodiscard]] std::vector<double> truth(const std::string& /*text*/,
                                          const model::Study& /*study*/) const override {
    throw Error(ErrorCode::bad_option,
                {"at: shares of variance do not say which records there were; leave it out, and truths are "
                 "drawn from the prior"});
  }
};

}  // namespace

const Kind& principal_component_kind() {
  static const PrincipalComponentKind kind;
  return kind;
}

}  // namespace postern::infer
