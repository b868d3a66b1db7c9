#include "kind.hpp"

#include "postern/core/error.hpp"
#include "postern/infer/network/star_posterior.hpp"
#include "postern/infer/network/tables_chain.hpp"
#include "postern/model/study.hpp"

#include "draws.hpp"
#include "event.hpp"
#include "people.hpp"
#include "posterior/start.hpp"
#include "predict.hpp"
#include "truth.hpp"
#include "warnings.hpp"
#include "width.hpp"

namespace postern::infer {
namespace {

/// A time-homogeneous Markov chain, by way of a table of a state and the next one.
class MarkovChainKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "markov_chain"; }
  [[nodiscard]] Posterior infer(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                const Conversation& conversation) const override {
    if (sets.size() > 1) {
      throw Error(ErrorCode::unsupported,
                  {"releases of several datasets cannot be combined for a Markov chain yet; infer from each "
                   "dataset alone"});
    }
    if (options.public_rows) throw Error(ErrorCode::unsupported, {"a Markov chain takes no public rows yet"});
    const model::Study& study = sets.front().front()->study;
    std::vector<std::string> names;
    std::vector<std::string> labels;
    for (model::Parameter& one : study.model.kind().parameters(study)) {
      names.push_back(std::move(one.name));
      labels.push_back(std::move(one.label));
    }
    Posterior out = start_posterior(std::move(names), std::move(labels), {}, options);
    ChainWatch watch(sets.front(), out, options);
    draw_chain(out, make_chain_problem(sets.front(), options), study.model.get<model::MarkovChain>().idle,
               watch, options, conversation);
    watch.tell(out);
    for (Warning& warning : chain_warnings(sets.front())) out.warnings.push_back(std::move(warning));
    out.notes.push_back(
        "transitions are taken as independent given the state that they leave; of people with more than " +
        std::to_string(model::records_per_unit(study.privacy.unit)) +
        " transitions as if only so many had been seen. Where how many people make depends on where they go "
        "(a day that ends at one state, time spent idle), those weigh less who stayed longer, and "
        "probabilities "
        "of leaving come out too large");
    return out;
  }
  [[nodiscard]] std::vector<EngineChoice> engines(
      const std::vector<release::RecordSet>& sets) const override {
    if (sets.front().front()->study.model.get<model::MarkovChain>().learned)
      return {EngineChoice::automatic, EngineChoice::tables, EngineChoice::naive};
    return {EngineChoice::automatic, EngineChoice::exact, EngineChoice::tables, EngineChoice::naive};
  }

  /// Of people and their transitions there are posteriors, of records not.
  [[nodiscard]] bool tells_total() const override { return false; }
  [[nodiscard]] std::vector<Warning> planned_warnings(const model::Study& study,
                                                      const model::Measurement& measurement,
                                                      std::int64_t n) const override {
    return planned_chain_warnings(study, measurement, n);
  }

  [[nodiscard]] bool has_probabilities() const override { return true; }
  [[nodiscard]] bool has_steps() const override { return true; }
  [[nodiscard]] std::optional<EventPlace> event_place(const std::string& name,
                                                      const model::Study& study) const override {
    return chain_place(name, study);
  }
  [[nodiscard]] std::vector<std::string> event_names(const model::Study& study) const override {
    return chain_names(study);
  }
  [[nodiscard]] EventMass event_mass(const Event& event, const model::Study& study,
                                     const Posterior& /*posterior*/) const override {
    return chain_mass(event, study);
  }
  [[nodiscard]] EventMass mean_steps(const Event& event, const Event& given,
                                     const model::Study& study) const override {
    return chain_steps(event, given, study);
  }

  [[nodiscard]] double bytes(const model::Study& study, const model::NoisePlan& plan,
                             std::optional<std::int64_t> n) const override {
    const InferOptions usual;
    // To forecast more cells takes as long as a posterior of fewer: then as much as infer may hold at all.
    constexpr std::uint32_t kMostForecast = 100;
    if (study.model.get<model::MarkovChain>().states > kMostForecast)
      return static_cast<double>(usual.memory_limit);
    const std::int64_t records = n.value_or(study.privacy.n_at_most.value_or(0) / 2);
    const NetworkProblem moves = expected_chain_problem(study, plan, records).transitions;
    if (!moves.learned) {
      const double exact = StarPosterior::forecast(moves).bytes;
      if (exact <= static_cast<double>(usual.memory_limit)) return exact;
    }
    return forecast_network_tables(moves, static_cast<std::size_t>(usual.chains)).bytes;
  }
  [[nodiscard]] std::unique_ptr<const WidthForecast> widths(const model::Study& study,
                                                            const model::Assumed& /*at*/) const override {
    return std::make_unique<ChainWidths>(study);
  }
  [[nodiscard]] std::vector<double> truth(const std::string& text, const model::Study& study) const override {
    return chain_truth(text, study);
  }

  [[nodiscard]] std::optional<std::string> usual_target(const model::Study& study) const override {
    return study.model.get<model::MarkovChain>().state;
  }
  [[nodiscard]] std::unique_ptr<const Predictor> predictor(const Basis& basis,
                                                           std::size_t target) const override {
    if (target != 1)
      throw Error(ErrorCode::unsupported,
                  {"a Markov chain predicts states and no times; leave out --target"});
    return predict_next(basis);
  }
  [[nodiscard]] std::unique_ptr<const RecordSampler> record_sampler(
      const model::Study& study) const override {
    return chain_people(study);
  }
};

}  // namespace

const Kind& markov_chain_kind() {
  static const MarkovChainKind kind;
  return kind;
}

}  // namespace postern::infer
