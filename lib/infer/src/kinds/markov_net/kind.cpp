#include "kind.hpp"

#include <algorithm>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/foresight.hpp"
#include "postern/infer/network/star_posterior.hpp"
#include "postern/infer/round_fit.hpp"
#include "postern/model/kinds/markov_selection.hpp"

#include "candidates.hpp"
#include "factor_files.hpp"
#include "foresight/memory.hpp"
#include "mode.hpp"
#include "network/check_plan.hpp"
#include "network/event.hpp"
#include "network/infer_network.hpp"
#include "network/make_problem.hpp"
#include "network/mean_network.hpp"
#include "network/predict_columns.hpp"
#include "network/truth.hpp"
#include "network/width.hpp"
#include "sample.hpp"

namespace postern::infer {
namespace {

/// The same study with its network as a Bayesian one, which has the same posterior; with the prior of the
/// options, if they have one.
model::Study directed_study(const model::Study& study, const InferOptions& options = {}) {
  if (study.model.get<model::MarkovNet>().select != model::Selection::none)
    throw Error(ErrorCode::unsupported,
                {"which columns of this network go together is chosen by its release"});
  const bool replaced = options.prior && !model::has_normal_prior(study.model.get<model::MarkovNet>());
  const model::Model model =
      replaced ? study.model.kind().with_prior(study.model, *options.prior) : study.model;
  model::Study out = study;
  out.model = model::directed(model.get<model::MarkovNet>());
  return out;
}

/// Is the posterior that of a Bayesian network?
bool is_directed(const std::vector<release::RecordSet>& sets) {
  return !model::has_normal_prior(sets.front().front()->study.model.get<model::MarkovNet>());
}

/// Of chains on potentials: passes through the junction tree, and dense matrices of twice as many rows as
/// there are free potentials; of the mode alone where these are too many.
double chains_bytes(const model::MarkovNet& net) {
  double cells = 0;
  for (const graph::Variables& clique : net.cliques) cells += graph::cells_of(clique, net.levels) - 1;
  const double free = std::min(cells, static_cast<double>(kMostPotentials));
  return 24 * InferOptions{}.chains * model::junction_tree(net).cells() + 3 * 8 * 4 * free * free;
}

/// The pairs of the tree that has most cells, of all that a release may choose: the column of most levels
/// with every other one.
std::vector<graph::Variables> heaviest_tree(const model::MarkovNet& net) {
  const auto hub =
      static_cast<std::uint32_t>(std::max_element(net.levels.begin(), net.levels.end()) - net.levels.begin());
  std::vector<graph::Variables> pairs;
  for (std::uint32_t v = 0; v < net.levels.size(); ++v)
    if (v != hub) pairs.push_back({std::min(v, hub), std::max(v, hub)});
  return pairs;
}

InferOptions without_prior(InferOptions options) {
  options.prior.reset();
  return options;
}

Posterior infer_by_engine(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                          const Conversation& conversation) {
  if (options.engine == EngineChoice::map || !options.estimator.empty())
    return infer_mode(sets, "asked for", options, conversation);
  if (options.engine == EngineChoice::potentials)
    return infer_potentials(sets, MarkovSampler::potentials, "asked for", options, conversation);
  if (is_directed(sets)) {
    return infer_network(directed_study(sets.front().front()->study, options), sets, without_prior(options),
                         conversation);
  }
  if (options.engine == EngineChoice::tables)
    return infer_potentials(sets, MarkovSampler::tables, "asked for", options, conversation);
  if (options.engine != EngineChoice::automatic) {
    throw Error(ErrorCode::engine_unsuitable, {"this Markov network is not decomposable, or has a prior of "
                                               "its potentials: its posterior is drawn by "
                                               "chains on its potentials or tables"});
  }
  return infer_markov_automatically(sets, options, conversation);
}

/// A declared hyper-Dirichlet prior of a network that turned out to have no such law.
void warn_of_unused_prior(const std::vector<release::RecordSet>& sets, Posterior& out) {
  const auto& net = sets.front().front()->study.model.get<model::MarkovNet>();
  if (net.potential_sd || net.alpha == model::MarkovNet{}.alpha || is_directed(sets)) return;
  out.warnings.push_back(
      {"prior-not-used",
       "the study declares a hyper-Dirichlet prior, and this network, which is not decomposable, has no such "
       "law: potentials have a normal prior whose deviation was estimated; --prior \"normal(1)\" gives it"});
}

/// A Markov network of discrete columns, by way of the Bayesian network that it is.
class MarkovNetKind : public Kind, public FitsRounds, public Foresees {
 public:
  [[nodiscard]] std::string_view name() const override { return "markov_net"; }
  [[nodiscard]] Posterior infer(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                const Conversation& conversation) const override {
    Posterior out = infer_by_engine(sets, options, conversation);
    warn_of_unused_prior(sets, out);
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
    if (!is_directed(sets))
      return {EngineChoice::automatic, EngineChoice::potentials, EngineChoice::tables, EngineChoice::map};
    if (sets.size() > 1) return {EngineChoice::automatic, EngineChoice::tables};
    const model::Study study = directed_study(sets.front().front()->study);
    if (StarPosterior::fits(make_network_problem(study, sets.front(), {})))
      return {EngineChoice::automatic, EngineChoice::exact,      EngineChoice::tables,
              EngineChoice::naive,     EngineChoice::potentials, EngineChoice::map};
    return {EngineChoice::automatic, EngineChoice::tables, EngineChoice::naive, EngineChoice::potentials,
            EngineChoice::map};
  }

  [[nodiscard]] bool takes_foreign() const override { return true; }
  [[nodiscard]] bool takes_public_rows() const override { return true; }
  /// The families of the Bayesian network, or the cliques.
  [[nodiscard]] std::vector<std::vector<std::string>> public_tables(
      const model::Study& study) const override {
    std::vector<std::vector<std::string>> out;
    const auto& net = study.model.get<model::MarkovNet>();
    if (model::has_normal_prior(net)) {
      for (const graph::Variables& clique : net.cliques) out.push_back(model::clique_columns(net, clique));
      return out;
    }
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
  [[nodiscard]] std::vector<ModelFile> model_files(const model::Study& study,
                                                   const Posterior& posterior) const override {
    const model::Study same = directed_study(study);
    std::vector<ModelFile> out = bif_of_means(same, posterior);
    for (ModelFile& file : factors_of_means(study, same, posterior)) out.push_back(std::move(file));
    return out;
  }
  [[nodiscard]] double bytes(const model::Study& study, const model::NoisePlan& plan,
                             std::optional<std::int64_t> n) const override {
    const auto& net = study.model.get<model::MarkovNet>();
    if (net.select != model::Selection::none)
      return model::kModeBytes * model::selection_forecast(net).tree_cells;  // at most
    if (model::has_normal_prior(net)) return chains_bytes(net);
    return network_bytes(directed_study(study), plan, n);
  }
  void check_plan(const model::Study& study, const model::NoisePlan& plan,
                  std::optional<std::int64_t> n) const override {
    const auto& net = study.model.get<model::MarkovNet>();
    if (net.select == model::Selection::tree && !net.potential_sd)
      return check_cliques(heaviest_tree(net), net.levels, net.columns);
    if (net.select != model::Selection::none) return check_planned_bytes(*this, study, plan, n);
    if (model::has_normal_prior(net)) {
      const InferOptions usual;
      if (!draws_fit(net, usual)) check_mode_memory(net, static_cast<double>(usual.memory_limit));
      return check_planned_bytes(*this, study, plan, n);
    }
    check_network_plan(study, directed_study(study), plan, n);
  }
  [[nodiscard]] std::unique_ptr<const WidthForecast> widths(const model::Study& study,
                                                            const model::Assumed& /*at*/) const override {
    const auto& net = study.model.get<model::MarkovNet>();
    if (net.select != model::Selection::none || model::has_normal_prior(net))
      throw Error(ErrorCode::engine_limit,
                  {"widths are forecast of networks that are declared, decomposable and have a "
                   "hyper-Dirichlet prior"});
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
