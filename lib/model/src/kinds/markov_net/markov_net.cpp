#include "postern/model/kinds/markov_net.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/model/kinds/markov_selection.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"
#include "kinds/learned.hpp"
#include "kinds/markov_net/check.hpp"
#include "kinds/markov_net/select.hpp"
#include "kinds/markov_net/text.hpp"
#include "kinds/network_tables.hpp"
#include "plan/sharing.hpp"

namespace postern::model {
namespace {

/// The study with its network as a Bayesian one.
Study directed_study(const Study& study) {
  if (study.model.get<MarkovNet>().select != Selection::none) {
    throw Error(ErrorCode::unsupported,
                {"which columns of this network go together is chosen by its release: before that it has no "
                 "parameters"});
  }
  Study out = study;
  out.model = directed(study.model.get<MarkovNet>());
  return out;
}

std::string megabytes(double bytes) { return counted(static_cast<std::size_t>(bytes / 1e6) + 1, "megabyte"); }

/// A forecast in words.
std::string selection_text(const MarkovNet& net, std::size_t rounds) {
  const SelectionForecast forecast = selection_forecast(net);
  const double cells = forecast.tree_cells;
  std::string text =
      "which columns go together is chosen by the release, in at most " + counted(rounds, "round") +
      "; the blocks shown are those of the first. Its network has " + "a treewidth of at most " +
      std::to_string(forecast.treewidth) + ", and a junction tree of at most " +
      counted(static_cast<std::size_t>(cells), "cell") + " (" + megabytes(kModeBytes * cells) +
      " for its mode, " + megabytes(kRecordBytes * cells) + " for records made from it)";
  if (forecast.fits == 0) return text;
  const double seconds = kFitSeconds * cells * static_cast<double>(forecast.fits);
  return text + "; fitting it " + counted(forecast.fits, "time") + " takes " +
         counted(static_cast<std::size_t>(seconds) + 1, "second") + " of a processor at most";
}

/// Of several cliques that of most cells, by name unless it has many columns.
std::string largest_text(const MarkovNet& net) {
  if (net.cliques.size() < 2) return "";
  const auto largest = std::ranges::max_element(
      net.cliques, {}, [&](const graph::Variables& clique) { return graph::cells_of(clique, net.levels); });
  constexpr std::size_t kNamed = 4;
  const std::string name = largest->size() > kNamed ? "of " + counted(largest->size(), "column")
                                                    : joined(clique_columns(net, *largest), " x ");
  return " (largest clique " + name + ")";
}

/// The tables at potentials from the prior.
std::vector<double> drawn_tables(const MarkovNet& net, Rng& rng) {
  if (!net.potential_sd) {
    throw Error(
        ErrorCode::unsupported,
        {"the prior of this Markov network is estimated from a release, and there is none to simulate "
         "from; declare it: prior = { normal = \"1\" }"});
  }
  std::vector<double> theta;
  for (const graph::Variables& clique : net.cliques) {
    const auto cells = static_cast<std::size_t>(graph::cells_of(clique, net.levels));
    for (std::size_t i = 0; i < cells; ++i) theta.push_back(net.potential_sd->get_d() * draw_normal(rng));
  }
  return conditional_tables(net, theta);
}

/// Markov networks of discrete columns: one table of counts a clique.
class MarkovNetKind : public Kind {
 public:
  [[nodiscard]] std::string_view name() const override { return "markov_net"; }
  [[nodiscard]] std::string_view study_kind() const override { return "markov-net"; }
  [[nodiscard]] std::vector<std::string> families() const override { return {}; }
  [[nodiscard]] std::string family(const Model& /*model*/) const override { return "markov-net"; }
  [[nodiscard]] std::vector<std::string> columns(const Model& model) const override {
    return model.get<MarkovNet>().columns;
  }
  void check(const Model& model, const Schema& schema) const override {
    check_markov_net(model.get<MarkovNet>(), schema);
  }

  /// A block a clique, called by its columns: "age x sex". All cells have the same noise by default.
  [[nodiscard]] std::vector<Block> design(const Study& study, const Request& request,
                                          const Rational& budget) const override {
    const auto& net = study.model.get<MarkovNet>();
    if (net.select == Selection::tree) return design_tree(study, request, budget);
    if (net.select == Selection::adaptive) return design_adaptive(study, request, budget);
    std::vector<WantedBlock> wanted;
    for (const graph::Variables& clique : net.cliques) {
      const std::vector<std::string> names = clique_columns(net, clique);
      wanted.push_back({joined(names, " x "), Table{names}});
    }
    if (!net.noisy_total) return share_out(wanted, study, request, budget);
    if (study.privacy.adjacency == Adjacency::replace_one) {
      throw StudyError(
          {{"model", "total"}}, ErrorCode::bad_value,
          {"the number of records is public under replace-one, and nothing is noised of it; leave "
           "`total` out"});
    }
    return share_out_with_count(wanted, study, request, budget);
  }

  [[nodiscard]] const RoundRule* round_rule(const Study& study, const Request& /*request*/) const override {
    switch (study.model.get<MarkovNet>().select) {
      case Selection::tree:
        return &tree_rule();
      case Selection::adaptive:
        return &adaptive_rule();
      default:
        return nullptr;
    }
  }

  [[nodiscard]] Model read(Node& node, const Schema& schema) const override {
    return read_markov_net(node, schema);
  }
  [[nodiscard]] JsonValue write(const Model& model) const override {
    return write_markov_net(model.get<MarkovNet>());
  }
  [[nodiscard]] std::string text(const Model& model, const Schema& /*schema*/) const override {
    const auto& net = model.get<MarkovNet>();
    const std::string prior = net.potential_sd ? ", prior normal(" + to_decimal(*net.potential_sd) + ")"
                              : net.learned    ? std::string(", prior ") + kLearned
                              : has_normal_prior(net)
                                  ? std::string(", prior normal, its width estimated")
                                  : ", prior hyper-dirichlet(" + to_decimal(net.alpha) + ")";
    if (net.select != Selection::none) {
      return "markov-net: a tree of " + counted(net.columns.size(), "column") +
             (net.select == Selection::tree ? ""
                                            : " and " + counted(net.more_pairs, "pair") + " more, up to " +
                                                  counted(net.most_cells, "cell")) +
             ", to be chosen" + prior +
             (net.select == Selection::adaptive && !net.potential_sd ? " if it is decomposable, else normal"
                                                                     : "");
    }
    double cells = 0;
    for (const graph::Variables& clique : net.cliques) cells += graph::cells_of(clique, net.levels);
    return "markov-net: " + counted(net.columns.size(), "column") + ", " +
           counted(net.cliques.size(), "clique") + ", " + counted(static_cast<std::size_t>(cells), "cell") +
           largest_text(net) + (is_decomposable(net) ? "" : ", not decomposable") + prior;
  }

  [[nodiscard]] PriorWords prior_words(const Model& model) const override {
    if (has_normal_prior(model.get<MarkovNet>()))
      return {"normal", 1, "the standard deviation of each potential", false};
    return {"hyper-dirichlet", 1, "what each cell of the largest clique has", false};
  }
  [[nodiscard]] Model with_prior(const Model& model, const std::vector<Rational>& numbers) const override {
    MarkovNet net = model.get<MarkovNet>();
    net.learned = false;
    if (has_normal_prior(net)) {
      net.potential_sd = numbers.front();
    } else {
      net.alpha = numbers.front();
    }
    return net;
  }
  [[nodiscard]] Model without_prior(const Model& model) const override {
    MarkovNet net = model.get<MarkovNet>();
    net.alpha = 0;
    net.learned = false;
    net.potential_sd.reset();
    return net;
  }
  [[nodiscard]] bool takes_learned_prior(const Model& model) const override {
    return postern::model::takes_learned_prior(model.get<MarkovNet>());
  }
  [[nodiscard]] bool learned_prior(const Model& model) const override {
    return model.get<MarkovNet>().learned;
  }
  /// Planned for with one record a cell.
  [[nodiscard]] Model with_learned_prior(const Model& model) const override {
    MarkovNet net = model.get<MarkovNet>();
    if (!takes_learned_prior(model)) {
      throw Error(ErrorCode::bad_prior,
                  {"the scale of a prior is learned where a Markov network is decomposable and has the "
                   "hyper-Dirichlet prior; leave `prior` out, or write prior = { normal = \"1\" }"});
    }
    net.learned = true;
    net.alpha = 1;
    return net;
  }
  /// A normal prior of potentials is worth no number of records.
  [[nodiscard]] double prior_records(const Model& model) const override {
    const auto& net = model.get<MarkovNet>();
    return net.learned || has_normal_prior(net) ? 0 : postern::model::prior_records(net).get_d();
  }
  [[nodiscard]] std::vector<Rational> scaled_prior(const Model& model,
                                                   const Rational& factor) const override {
    const auto& net = model.get<MarkovNet>();
    if (!has_normal_prior(net)) return {net.alpha * factor};
    return {net.potential_sd.value_or(1) / Rational(std::sqrt(factor.get_d()))};
  }

  /// What a selection may lead to, before anything is spent on it.
  [[nodiscard]] std::vector<std::string> advice(const Study& study, const NoisePlan& plan,
                                                std::optional<std::int64_t> /*n*/) const override {
    const auto& net = study.model.get<MarkovNet>();
    if (net.select == Selection::none) return {};
    return {selection_text(net, plan.rounds ? plan.rounds->at_most : 1)};
  }

  /// Those of the network as a Bayesian one.
  [[nodiscard]] std::vector<Parameter> parameters(const Study& study) const override {
    const Study same = directed_study(study);
    return same.model.kind().parameters(same);
  }
  [[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate(const Study& study, std::int64_t n,
                                                                 const Assumed& assumed,
                                                                 Rng& rng) const override {
    const auto& net = study.model.get<MarkovNet>();
    if (!assumed && has_normal_prior(net)) {
      const Assumed drawn = drawn_tables(net, rng);
      const Study same = directed_study(study);
      return same.model.kind().simulate(same, n, drawn, rng);
    }
    const Study same = directed_study(study);
    return same.model.kind().simulate(same, n, assumed, rng);
  }
};

}  // namespace

const Kind& kind_of(const MarkovNet& /*model*/) {
  static const MarkovNetKind kind;
  return kind;
}

}  // namespace postern::model
