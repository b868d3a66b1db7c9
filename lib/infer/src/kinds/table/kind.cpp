#include "kind.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/infer/foresight.hpp"
#include "postern/model/kinds/table.hpp"

#include "cells.hpp"
#include "foresight/memory.hpp"
#include "infer.hpp"
#include "predict.hpp"
#include "truth.hpp"
#include "width.hpp"

namespace postern::infer {
namespace {

std::size_t place_of(const std::string& name, const Posterior& posterior) {
  const auto found = std::find(posterior.names.begin(), posterior.names.end(), name);
  if (found == posterior.names.end())
    throw Error(ErrorCode::internal, {"the posterior has no quantity '", from_document(name), "'"});
  return static_cast<std::size_t>(found - posterior.names.begin());
}

/// Bernoulli and categorical: one table of counts with a Dirichlet prior.
class TableKind : public Kind, public Foresees {
 public:
  [[nodiscard]] std::string_view name() const override { return "table"; }
  [[nodiscard]] Posterior infer(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                const Conversation& conversation) const override {
    return infer_table(sets, options, conversation);
  }
  /// Several datasets are exact where that is possible, and then `auto` is.
  [[nodiscard]] std::vector<EngineChoice> engines(
      const std::vector<release::RecordSet>& sets) const override {
    if (sets.size() == 1)
      return {EngineChoice::automatic, EngineChoice::exact, EngineChoice::gibbs, EngineChoice::naive};
    return {EngineChoice::automatic, EngineChoice::gibbs, EngineChoice::naive};
  }

  [[nodiscard]] bool takes_foreign() const override { return true; }
  [[nodiscard]] bool takes_public_rows() const override { return true; }
  [[nodiscard]] std::vector<std::vector<std::string>> public_tables(
      const model::Study& study) const override {
    return {model::columns_of(study.model)};
  }

  [[nodiscard]] bool has_probabilities() const override { return true; }
  [[nodiscard]] EventMass event_mass(const Event& event, const model::Study& study,
                                     const Posterior& posterior) const override {
    const std::vector<bool> cells = cells_of(event, study);
    if (const auto* one = study.model.as<model::Bernoulli>()) {
      return [theta = place_of("theta", posterior), cells, success = one->success](const DrawOfChain& draw) {
        double mass = 0;
        for (std::uint32_t cell = 0; cell < 2; ++cell) {
          if (cells[cell]) mass += cell == success ? draw[theta] : 1 - draw[theta];
        }
        return mass;
      };
    }
    std::vector<std::size_t> held;
    const std::size_t first = place_of("p.1", posterior);
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      if (cells[cell]) held.push_back(first + cell);
    }
    return [held = std::move(held)](const DrawOfChain& draw) {
      double mass = 0;
      for (const std::size_t quantity : held) mass += draw[quantity];
      return mass;
    };
  }
  [[nodiscard]] std::vector<TableColumn> table(const model::Study& study) const override {
    std::vector<TableColumn> table;
    if (study.model.as<model::Categorical>() == nullptr) return table;
    for (const std::string& name : model::columns_of(study.model)) {
      const model::Column& column = study.schema.at(name);
      TableColumn& out = table.emplace_back(TableColumn{name, {}});
      for (std::uint32_t level = 0; level < column.levels(); ++level)
        out.levels.push_back(column.label(level));
    }
    return table;
  }

  void check_plan(const model::Study& study, const model::NoisePlan& plan,
                  std::optional<std::int64_t> n) const override {
    check_planned_bytes(*this, study, plan, n);
    check_table_plan(study, plan, n ? n : study.privacy.n_at_most);
  }
  [[nodiscard]] double bytes(const model::Study& study, const model::NoisePlan& plan,
                             std::optional<std::int64_t> n) const override {
    return table_bytes(study, plan, n);
  }
  [[nodiscard]] std::unique_ptr<const WidthForecast> widths(const model::Study& study,
                                                            const model::Assumed& at) const override {
    return std::make_unique<TableWidths>(study, at);
  }
  [[nodiscard]] std::vector<double> truth(const std::string& text, const model::Study& study) const override {
    return table_truth(text, study);
  }

  [[nodiscard]] std::unique_ptr<const Predictor> predictor(const Basis& basis,
                                                           std::size_t target) const override {
    return table_predictor(basis, target);
  }
  [[nodiscard]] std::unique_ptr<const RecordSampler> record_sampler(
      const model::Study& study) const override {
    return table_record_sampler(study);
  }
};

}  // namespace

const Kind& table_kind() {
  static const TableKind kind;
  return kind;
}

}  // namespace postern::infer
