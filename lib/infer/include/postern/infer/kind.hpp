#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/infer/event.hpp"
#include "postern/infer/infer.hpp"
#include "postern/infer/model_file.hpp"
#include "postern/infer/network/problem.hpp"
#include "postern/infer/number_predictor.hpp"
#include "postern/infer/predictor.hpp"
#include "postern/infer/public_rows.hpp"
#include "postern/infer/record_sampler.hpp"
#include "postern/infer/width.hpp"
#include "postern/model/plan.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// All that the analyst's side knows of a kind of model. One folder in src/kinds holds it, one line of the
/// registry names it, and nothing else in this room knows that it exists.
class Kind {
 public:
  Kind() = default;
  Kind(const Kind&) = delete;
  Kind& operator=(const Kind&) = delete;
  virtual ~Kind() = default;

  /// The name of its folders, on both sides: "table".
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// The posterior given record sets of one or more datasets, by the engine that the options choose. Throws
  /// engine_unsuitable where that engine does not take them, engine_limit past the memory limit.
  [[nodiscard]] virtual Posterior infer(const std::vector<release::RecordSet>& sets,
                                        const InferOptions& options,
                                        const Conversation& conversation) const = 0;
  /// The engines that take such record sets, as people choose them, `auto` first.
  [[nodiscard]] virtual std::vector<EngineChoice> engines(
      const std::vector<release::RecordSet>& sets) const = 0;

  /// Does its posterior tell n, where that is private?
  [[nodiscard]] virtual bool tells_total() const { return true; }
  /// Where noise is out of proportion in a planned release, beside what is told of every table of records.
  [[nodiscard]] virtual std::vector<Warning> planned_warnings(const model::Study& study,
                                                              const model::Measurement& measurement,
                                                              std::int64_t n) const;

  /// Are releases made elsewhere among its record sets taken, continuous noise and bands with them? An
  /// engine that cannot take one says so.
  [[nodiscard]] virtual bool takes_foreign() const { return false; }

  /// Tables in which public rows are counted, each over some columns of the model. None where rows are summed
  /// or not taken.
  [[nodiscard]] virtual std::vector<std::vector<std::string>> public_tables(const model::Study& study) const;
  /// Public rows that are not counted in tables. Throws unsupported unless the kind takes them.
  [[nodiscard]] virtual PublicRows sum_public_rows(const std::vector<PublicColumn>& columns,
                                                   const model::Study& study) const;
  [[nodiscard]] virtual bool takes_public_rows() const { return false; }

  /// Are probabilities of its columns' levels functions of its parameters?
  [[nodiscard]] virtual bool has_probabilities() const { return false; }
  /// What a name in a query stands for: a column of the model, unless the kind has names of its own. Nothing
  /// for a name that it does not have; `event_names` shows people some that it has.
  [[nodiscard]] virtual std::optional<EventPlace> event_place(const std::string& name,
                                                              const model::Study& study) const;
  [[nodiscard]] virtual std::vector<std::string> event_names(const model::Study& study) const;
  /// The probability of an event, up to a factor that is the same for all events of a draw. The posterior is
  /// one of that study. @pre has_probabilities()
  [[nodiscard]] virtual EventMass event_mass(const Event& event, const model::Study& study,
                                             const Posterior& posterior) const;
  /// Has it steps of time, so that one can ask how many are expected?
  [[nodiscard]] virtual bool has_steps() const { return false; }
  /// How many steps are expected until `event` holds, from where `given` holds. @pre has_steps()
  [[nodiscard]] virtual EventMass mean_steps(const Event& event, const Event& given,
                                             const model::Study& study) const;
  /// The columns whose joint cells p.1 ... are; none where there are no such quantities.
  [[nodiscard]] virtual std::vector<TableColumn> table(const model::Study& study) const;

  /// Memory that the engine which `auto` takes would need for such a release, judged at the prior's mean.
  [[nodiscard]] virtual double bytes(const model::Study& study, const model::NoisePlan& plan,
                                     std::optional<std::int64_t> n) const = 0;
  /// What intervals of such a study's posterior would be; by draws, unless the kind knows better.
  [[nodiscard]] virtual std::unique_ptr<const WidthForecast> widths(const model::Study& study,
                                                                    const model::Assumed& at) const = 0;
  /// An assumed truth in words, in the order of the model's parameters. Throws bad_option, and says what
  /// could be written.
  [[nodiscard]] virtual std::vector<double> truth(const std::string& text,
                                                  const model::Study& study) const = 0;

  /// The model at the posterior's means, as files that other programs read; none where there are none.
  [[nodiscard]] virtual std::vector<ModelFile> model_files(const model::Study& study,
                                                           const Posterior& posterior) const;

  /// The network of discrete columns that the model is, with its prior and nothing released; nothing for
  /// other models.
  [[nodiscard]] virtual std::optional<NetworkProblem> network(const model::Study& study) const;
  /// The model's parameters, in their order, as somebody takes a release who does not account for its noise.
  /// @pre network(release.study)
  [[nodiscard]] virtual std::vector<double> plug_in(const release::Release& release) const;

  /// The column that is predicted unless another is named.
  [[nodiscard]] virtual std::optional<std::string> usual_target(const model::Study& study) const;
  /// Predictions of the model's target-th column. Throws unsupported unless the kind has them.
  [[nodiscard]] virtual std::unique_ptr<const Predictor> predictor(const Basis& basis,
                                                                   std::size_t target) const;
  /// The same where that column is predicted as a number; else nothing, and `predictor` is asked.
  [[nodiscard]] virtual std::unique_ptr<const NumberPredictor> number_predictor(const Basis& basis,
                                                                                std::size_t target) const;
  /// New records. Throws unsupported unless the kind makes them.
  [[nodiscard]] virtual std::unique_ptr<const RecordSampler> record_sampler(const model::Study& study) const;
};

/// All kinds: the registry.
[[nodiscard]] std::span<const Kind* const> kinds();
/// Throws engine_unsuitable for a model that has no posterior.
[[nodiscard]] const Kind& kind_of(const model::Model& model);

}  // namespace postern::infer
