#include "kind.hpp"

#include "postern/model/kinds/number.hpp"
#include "postern/model/number_family.hpp"

#include "infer.hpp"
#include "public_rows.hpp"
#include "truth.hpp"
#include "width.hpp"

namespace postern::infer {
namespace {

/// One column of numbers in a family with a conjugate prior.
class NumberKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "number"; }
  [[nodiscard]] Posterior infer(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                const Conversation& conversation) const override {
    return infer_number(sets, options, conversation);
  }
  [[nodiscard]] std::vector<EngineChoice> engines(
      const std::vector<release::RecordSet>& sets) const override {
    const auto& number = sets.front().front()->study.model.get<model::Number>();
    if (number.count_inside) return {EngineChoice::automatic, EngineChoice::augment, EngineChoice::naive};
    if (model::find_number_family(number.family)->squares)
      return {EngineChoice::automatic, EngineChoice::augment, EngineChoice::gibbs, EngineChoice::naive};
    return {EngineChoice::automatic, EngineChoice::exact, EngineChoice::augment, EngineChoice::naive};
  }

  [[nodiscard]] bool takes_foreign() const override { return true; }
  [[nodiscard]] bool takes_public_rows() const override { return true; }
  [[nodiscard]] PublicRows sum_public_rows(const std::vector<PublicColumn>& columns,
                                           const model::Study& study) const override {
    return sum_public_numbers(columns.front(), study.model.get<model::Number>());
  }

  [[nodiscard]] double bytes(const model::Study& study, const model::NoisePlan& /*plan*/,
                             std::optional<std::int64_t> n) const override {
    return number_bytes(study, n);
  }
  [[nodiscard]] std::unique_ptr<const WidthForecast> widths(const model::Study& study,
                                                            const model::Assumed& /*at*/) const override {
    return std::make_unique<NumberWidths>(study);
  }
  [[nodiscard]] std::vector<double> truth(const std::string& text, const model::Study& study) const override {
    return number_truth(text, study);
  }
};

}  // namespace

const Kind& number_kind() {
  static const NumberKind kind;
  return kind;
}

}  // namespace postern::infer
