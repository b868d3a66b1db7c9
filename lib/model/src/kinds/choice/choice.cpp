#include "postern/model/kinds/choice.hpp"

#include "postern/model/plan.hpp"

#include "kinds/checks.hpp"
#include "kinds/choice/read.hpp"
#include "plan/sharing.hpp"

namespace postern::model {
namespace {

const Model& records_of(const Model& model) { return model.get<Choice>().records; }

/// A choice among candidates. All that concerns the records (their law, its prior and its parameters) is what
/// the kind of their family says.
class ChoiceKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "choice"; }
  [[nodiscard]] std::string_view study_kind() const override { return "choice"; }
  [[nodiscard]] std::vector<std::string> families() const override { return {}; }
  [[nodiscard]] std::string family(const Model& /*model*/) const override { return "choice"; }
  [[nodiscard]] std::vector<std::string> columns(const Model& model) const override {
    return columns_of(records_of(model));
  }
  void check(const Model& model, const Schema& schema) const override {
    check_choice(model.get<Choice>(), schema);
  }

  [[nodiscard]] std::vector<Mechanism> mechanisms(const Study& /*study*/) const override {
    return {Mechanism::exponential};
  }
  [[nodiscard]] std::vector<Block> design(const Study& study, const Request& request,
                                          const Rational& budget) const override {
    const auto& model = study.model.get<Choice>();
    const ScoreTable table = score_table(model, study.schema);
    std::vector<WantedBlock> wanted;
    for (std::int64_t draw = 1; draw <= model.draws; ++draw)
      wanted.push_back({"draw " + std::to_string(draw), table});
    return share_choices_with_count(wanted, study, request, budget);
  }

  [[nodiscard]] Model read(Node& node, const Schema& schema) const override {
    return read_choice(node, schema);
  }
  [[nodiscard]] JsonValue write(const Model& model) const override {
    return write_choice(model.get<Choice>());
  }
  [[nodiscard]] std::string text(const Model& of, const Schema& schema) const override {
    const auto& model = of.get<Choice>();
    const std::size_t candidates = model.points.empty() ? model.names.size() : model.points.size();
    return "choice among " + with_commas(candidates) + " candidates; " +
           model.records.kind().text(model.records, schema);
  }

  [[nodiscard]] PriorWords prior_words(const Model& model) const override {
    return records_of(model).kind().prior_words(records_of(model));
  }
  [[nodiscard]] Model with_prior(const Model& model, const std::vector<Rational>& numbers) const override {
    Choice out = model.get<Choice>();
    out.records = out.records.kind().with_prior(out.records, numbers);
    return out;
  }
  [[nodiscard]] Model without_prior(const Model& model) const override {
    Choice out = model.get<Choice>();
    out.records = out.records.kind().without_prior(out.records);
    return out;
  }
  [[nodiscard]] double prior_records(const Model& model) const override {
    return records_of(model).kind().prior_records(records_of(model));
  }
  [[nodiscard]] std::vector<Rational> scaled_prior(const Model& model,
                                                   const Rational& factor) const override {
    return records_of(model).kind().scaled_prior(records_of(model), factor);
  }

  [[nodiscard]] std::vector<Parameter> parameters(const Study& study) const override {
    const Study records = study_of_records(study);
    return records.model.kind().parameters(records);
  }
  [[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate(const Study& study, std::int64_t n,
                                                                 const Assumed& assumed,
                                                                 Rng& rng) const override {
    const Study records = study_of_records(study);
    return records.model.kind().simulate(records, n, assumed, rng);
  }
};

}  // namespace

const Kind& kind_of(const Choice& /*model*/) {
  static const ChoiceKind kind;
  return kind;
}

Study study_of_records(const Study& study) {
  Study out = study;
  out.model = records_of(study.model);
  return out;
}

}  // namespace postern::model
