#include "kind.hpp"

#include "postern/core/error.hpp"
#include "postern/infer/network/star_posterior.hpp"
#include "postern/infer/round_fit.hpp"
#include "postern/model/kinds/markov_selection.hpp"

#include "candidates.hpp"
#include "mode.hpp"
#include "network/event.hpp"
#include "network/infer_network.hpp"
#include "network/make_problem.hpp"
#include "network/mean_network.hpp"
#include "network/predict_columns.hpp"
#include "network/truth.hpp"
#include "network/width.hpp"

namespace postern::infer {
namespace {

/// The same study with its network as a Bayesian one, which has the same posterior; with the prior of the
/// options, if they have one.
model::Study directed_study(const model::Study& study, const InferOptions& options = {}) {
  if (study.model.get<model::MarkovNet>().select != model::Selection::none)
    throw Error(ErrorCode::unsupported,
                {"which columns of this network go together is chosen by its release"});
  const model::Model model =
      options.prior ? study.model.kind().with_prior(study.model, *options.prior) : study.model;
  model::Study out = study;
  out.model = model::directed(model.get<model::MarkovNet>());
  return out;
}

bool decomposable(const std::vector<release::RecordSet>& sets) {
  return model::is_decomposable(sets.front().front()->study.model.get<model::MarkovNet>());
}

InferOptions without_prior(InferOptions options) {
  options.prior.reset();
  return options;
}

Posterior infer_by_engine(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                          const Conversation& conversation) {
  if (options.engine == EngineChoice::map) return infer_mode(sets, "asked for", options, conversation);
  if (decomposable(sets)) {
    return infer_network(directed_study(sets.front().front()->study, options), sets, without_prior(options),
                         conversation);
  }
  if (options.engine != EngineChoice::automatic) {
    throw Error(ErrorCode::engine_unsuitable,
                {"this Markov network is not decomposable: only its mode is known (engine map)"});
  }
  return infer_mode(sets, "a network that is not decomposable", options, conversation);
}

/// A Markov network of discrete columns, by way of the Bayesian network that it is.
class MarkovNetKind : public Kind, public FitsRounds {
 public:
  [[nodiscard]] std::string_view name() const override { return "markov_net"; }
  [[nodiscard]] Posterior infer(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                const Conversation& conversation) const override {
    Posterior out = infer_by_engine(sets, options, conversation);
    if (sets.front().front()->rounds) {
      out.notes.emplace_back(
          "the network is taken as it was chosen: what its choice tells about the records "
          "is not used");
    }
    return out;
  }
  [[nodiscard]] std::vector<Int128> round_table(const release::Release& so_far,
                                                const Conversation& conversation) const override {
    return candidate_pairs(so_far, conversation);
  }
  [[nodiscard]] std::vector<EngineChoice> engines(
      const std::vector<release::RecordSet>& sets) const override {
    if (!decomposable(sets)) return {EngineChoice::automatic, EngineChoice::map};
    const model::Study study = directed_study(sets.front().front()->study);
    if (StarPosterior::fits(make_network_problem(study, sets.front(), {})))
      return {EngineChoice::automatic, EngineChoice::exact, EngineChoice::tables, EngineChoice::naive,
              EngineChoice::map};
    return {EngineChoice::automatic, EngineChoice::tables, EngineChoice::naive, EngineChoice::map};
  }

  [[nodiscard]] bool takes_public_rows() const override { return true; }
  /// The families of the Bayesian network.
  [[nodiscard]] std::vector<std::vector<std::string>> public_tables(
      const model::Study& study) const override {
    std::vector<std::vector<std::string>> out;
    const model::Study same = directed_study(study);
    for (const model::BayesNode& node : same.model.get<model::BayesNet>().nodes)
      out.push_back(model::family_columns(node));
    return out;
  }

  [[nodiscard]] bool has_probabilities() const override { return true; }
  [[nodiscard]] EventMass event_mass(const Event& event, const model::Study& study,
                                     const Posterior& posterior) const override {
    return network_event(event, directed_study(study), posterior);
  }
  [[nodiscard]] std::optional<ModelFile> mean_model(const model::Study& study,
                                                    const Posterior& posterior) const override {
    return mean_network(directed_study(study), posterior);
  }
  [[nodiscard]] double bytes(const model::Study& study, const model::NoisePlan& plan,
                             std::optional<std::int64_t> n) const override {
    const auto& net = study.model.get<model::MarkovNet>();
    if (net.select != model::Selection::none)
      return model::kModeBytes * model::selection_forecast(net).tree_cells;  // at most
    if (!model::is_decomposable(net)) return model::kModeBytes * model::junction_tree(net).cells();
    return network_bytes(directed_study(study), plan, n);
  }
  [[nodiscard]] std::unique_ptr<const WidthForecast> widths(const model::Study& study,
                                                            const model::Assumed& /*at*/) const override {
    const auto& net = study.model.get<model::MarkovNet>();
    if (net.select != model::Selection::none || !model::is_decomposable(net))
      throw Error(ErrorCode::engine_limit,
                  {"widths are forecast of networks that are declared and decomposable"});
    return std::make_unique<NetworkWidths>(directed_study(study));
  }
  [[nodiscard]] std::vector<double> truth(const std::string& text, const model::Study& study) const override {
    return network_truth(text, directed_study(study));
  }
  [[nodiscard]] std::unique_ptr<const Predictor> predictor(const Basis& basis,
                                                           std::size_t target) const override {
    Basis same{basis.posterior, basis.releases, basis.sets, without_prior(basis.options), basis.parameters};
    return predict_columns(directed_study(basis.study(), basis.options), same, target);
  }
  [[nodiscard]] std::unique_ptr<const RecordSampler> record_sampler(
      const model::Study& study) const override {
    return network_records(directed_study(study));
  }
};

}  // namespace

const Kind& markov_net_kind() {
  static const MarkovNetKind kind;
  return kind;
}

}  // namespace postern::infer
