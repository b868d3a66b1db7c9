#include "kind.hpp"

#include "postern/core/error.hpp"
#include "postern/model/kinds/principal_axis.hpp"

#include "infer.hpp"
#include "width.hpp"

namespace postern::infer {
namespace {

/// The axis of two numbers, chosen among candidates.
class PrincipalAxisKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "principal_axis"; }
  [[nodiscard]] Posterior infer(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                const Conversation& conversation) const override {
    return infer_axis(sets, options, conversation);
  }
  [[nodiscard]] std::vector<EngineChoice> engines(
      const std::vector<release::RecordSet>& /*sets*/) const override {
    return {EngineChoice::automatic, EngineChoice::augment};
  }
  [[nodiscard]] double bytes(const model::Study& study, const model::NoisePlan& /*plan*/,
                             std::optional<std::int64_t> /*n*/) const override {
    return 1e6 + 256.0 * static_cast<double>(study.schema.domain(model::columns_of(study.model)).cells());
  }
  [[nodiscard]] std::unique_ptr<const WidthForecast> widths(const model::Study& study,
                                                            const model::Assumed& /*at*/) const override {
    return std::make_unique<AxisWidths>(study);
  }
  [[nodiscard]] std::vector<double> truth(const std::string& /*text*/,
                                          const model::Study& /*study*/) const override {
    throw Error(ErrorCode::bad_option,
                {"at: shares of variance do not say which records there were; leave it out, and truths are "
                 "drawn from the prior"});
  }
};

}  // namespace

const Kind& principal_axis_kind() {
  static const PrincipalAxisKind kind;
  return kind;
}

}  // namespace postern::infer
