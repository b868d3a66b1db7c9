#include "kind.hpp"

#include "postern/model/kinds/choice.hpp"

#include "infer.hpp"
#include "width.hpp"

namespace postern::infer {
namespace {

/// A choice among candidates. What is asked of its posterior is asked of the records' family.
class ChoiceKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "choice"; }
  [[nodiscard]] Posterior infer(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                const Conversation& conversation) const override {
    return infer_choice(sets, options, conversation);
  }
  [[nodiscard]] std::vector<EngineChoice> engines(
      const std::vector<release::RecordSet>& sets) const override {
    std::vector<EngineChoice> out{EngineChoice::automatic, EngineChoice::exact, EngineChoice::augment};
    if (bounds_fit(sets.front().front()->study)) out.push_back(EngineChoice::bounds);
    return out;
  }

  [[nodiscard]] bool takes_public_rows() const override { return true; }
  [[nodiscard]] std::vector<std::vector<std::string>> public_tables(
      const model::Study& study) const override {
    const model::Study records = model::study_of_records(study);
    return kind_of(records.model).public_tables(records);
  }
  [[nodiscard]] PublicRows sum_public_rows(const std::vector<PublicColumn>& columns,
                                           const model::Study& study) const override {
    const model::Study records = model::study_of_records(study);
    return kind_of(records.model).sum_public_rows(columns, records);
  }

  [[nodiscard]] bool has_probabilities() const override { return true; }
  [[nodiscard]] EventMass event_mass(const Event& event, const model::Study& study,
                                     const Posterior& posterior) const override {
    const model::Study records = model::study_of_records(study);
    return kind_of(records.model).event_mass(event, records, posterior);
  }
  [[nodiscard]] std::vector<TableColumn> table(const model::Study& study) const override {
    const model::Study records = model::study_of_records(study);
    return kind_of(records.model).table(records);
  }

  [[nodiscard]] double bytes(const model::Study& study, const model::NoisePlan& /*plan*/,
                             std::optional<std::int64_t> /*n*/) const override {
    return 1e6 + 64.0 * study.schema.at(model::columns_of(study.model).front()).levels();
  }
  [[nodiscard]] std::unique_ptr<const WidthForecast> widths(const model::Study& study,
                                                            const model::Assumed& /*at*/) const override {
    return std::make_unique<ChoiceWidths>(study);
  }
  [[nodiscard]] std::vector<double> truth(const std::string& text, const model::Study& study) const override {
    const model::Study records = model::study_of_records(study);
    return kind_of(records.model).truth(text, records);
  }
  [[nodiscard]] std::unique_ptr<const RecordSampler> record_sampler(
      const model::Study& study) const override {
    return kind_of(model::study_of_records(study).model).record_sampler(model::study_of_records(study));
  }
};

}  // namespace

const Kind& choice_kind() {
  static const ChoiceKind kind;
  return kind;
}

}  // namespace postern::infer
