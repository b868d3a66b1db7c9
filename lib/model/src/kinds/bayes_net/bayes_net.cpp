#include "postern/model/kinds/bayes_net.hpp"

#include <algorithm>

#include "postern/core/draw.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/fourier.hpp"
#include "postern/model/statistic/table.hpp"

#include "kinds/bayes_net/check.hpp"
#include "kinds/bayes_net/grid.hpp"
#include "kinds/bayes_net/network.hpp"
#include "kinds/bayes_net/text.hpp"
#include "kinds/checks.hpp"
#include "kinds/network_tables.hpp"
#include "kinds/other_priors.hpp"
#include "plan/sharing.hpp"

namespace postern::model {
namespace {

/// "smoker = no, age = 18-29" of a row of a node's table; nothing for a root.
std::string row_text(const BayesNode& node, const Schema& schema, std::size_t row) {
  const std::vector<std::uint32_t> levels = schema.domain(node.parents).levels_of(row);
  std::string text;
  for (std::size_t i = 0; i < node.parents.size(); ++i) {
    text += (i == 0 ? "" : ", ") + node.parents[i] + " = " + schema.at(node.parents[i]).label(levels[i]);
  }
  return text;
}

/// Every row of every table from its Dirichlet prior.
std::vector<double> draw_tables(const BayesNet& net, const std::vector<std::uint32_t>& levels, Rng& rng) {
  std::vector<double> theta;
  theta.reserve(total_cells(net));
  for (const BayesNode& node : net.nodes) {
    for (const Rational& alpha : node.alpha) theta.push_back(alpha.get_d());
  }
  std::span<double> rest(theta);
  for (std::size_t i = 0; i < net.nodes.size(); ++i) {
    for (std::size_t at = 0; at < net.nodes[i].alpha.size(); at += levels[i]) {
      draw_dirichlet(rest.first(levels[i]), rest.first(levels[i]), rng);
      rest = rest.subspan(levels[i]);
    }
  }
  return theta;
}

/// A root with two levels: where n is public, one count says both (docs/decisions/one-count.md).
bool needs_one_count(const BayesNode& node, const Study& study) {
  return study.privacy.adjacency == Adjacency::replace_one && node.parents.empty() &&
         study.schema.at(node.column).levels() == 2;
}

/// A block a scale of coefficients, and the number of records (that of the empty set) where it is private.
std::vector<WantedBlock> wanted_coefficients(const Study& study) {
  std::vector<WantedBlock> wanted;
  if (study.privacy.adjacency == Adjacency::add_remove) wanted.push_back({"count", RecordCount{}});
  std::vector<std::vector<std::string>> families;
  for (const BayesNode& node : study.model.get<BayesNet>().nodes) families.push_back(family_columns(node));
  for (const std::int32_t scale : fourier_scales(families, study.schema)) {
    wanted.push_back(
        {"coefficients", FourierCoefficients{families, scale}, unit_of(fourier_weight(scale), study)});
  }
  return wanted;
}

/// A choice among points of a grid is made by posterior probability.
void refuse_learned(const BayesNet& net) {
  if (!net.learned) return;
  throw Error(
      ErrorCode::bad_prior,
      {"the prior is part of this mechanism, which cannot learn its scale; state it by numbers: prior = { "
       "dirichlet = \"0.5\" }"});
}

/// Networks of discrete columns: one table of counts a node, over its parents and itself. Studies write them
/// in two ways, by edges or as a class and its features.
class BayesNetKind : public Kind, public OtherPriors {
 public:
  explicit BayesNetKind(std::string_view word) : word_(word) {}

  [[nodiscard]] std::string_view name() const override { return "bayes_net"; }
  [[nodiscard]] std::string_view study_kind() const override { return word_; }
  [[nodiscard]] std::vector<std::string> families() const override { return {}; }
  [[nodiscard]] std::string family(const Model& /*model*/) const override { return std::string(word_); }
  [[nodiscard]] std::vector<std::string> columns(const Model& model) const override {
    std::vector<std::string> names;
    for (const BayesNode& node : model.get<BayesNet>().nodes) names.push_back(node.column);
    return names;
  }
  void check(const Model& model, const Schema& schema) const override {
    check_structure(model.get<BayesNet>(), schema);
    check_alpha(model.get<BayesNet>(), schema);
  }

  [[nodiscard]] std::vector<Mechanism> mechanisms(const Study& study) const override {
    std::vector<Mechanism> out = Kind::mechanisms(study);
    out.insert(out.end(), {Mechanism::fourier, Mechanism::posterior_draw, Mechanism::map});
    return out;
  }
  /// A block a node, by its column's name. All cells of all blocks have the same noise by default.
  [[nodiscard]] std::vector<Block> design(const Study& study, const Request& request,
                                          const Rational& budget) const override {
    if (request.mechanism == Mechanism::posterior_draw || request.mechanism == Mechanism::map) {
      refuse_learned(study.model.get<BayesNet>());
      return design_grid(study, request, budget);
    }
    if (request.mechanism == Mechanism::fourier)
      return share_out(wanted_coefficients(study), study, request, budget);
    std::vector<WantedBlock> wanted;
    for (const BayesNode& node : study.model.get<BayesNet>().nodes) {
      if (needs_one_count(node, study)) {
        wanted.push_back({node.column, LevelCount{node.column, 1}});
      } else {
        wanted.push_back({node.column, Table{family_columns(node)}});
      }
    }
    return share_out(wanted, study, request, budget);
  }

  [[nodiscard]] Model read(Node& node, const Schema& schema) const override {
    if (node.text("kind") == "naive-bayes") return read_naive_bayes(node, schema);
    return read_bayes_net(node, schema);
  }
  [[nodiscard]] JsonValue write(const Model& model) const override {
    return write_network(model.get<BayesNet>());
  }
  [[nodiscard]] std::string text(const Model& model, const Schema& /*schema*/) const override {
    const auto& net = model.get<BayesNet>();
    std::size_t edges = 0;
    for (const BayesNode& node : net.nodes) edges += node.parents.size();
    const std::string what = net.class_column
                                 ? *net.class_column + " and " + counted(net.nodes.size() - 1, "feature")
                                 : counted(net.nodes.size(), "column") + ", " + counted(edges, "edge");
    return std::string(word_) + ": " + what + ", " + counted(total_cells(net), "cell") + ", prior " +
           prior_text(net);
  }

  [[nodiscard]] PriorWords prior_words(const Model& model) const override {
    return {"dirichlet", total_cells(model.get<BayesNet>()),
            "one a cell of the columns' tables, or one for all", true};
  }
  [[nodiscard]] std::string other_prior() const override { return "bdeu 10"; }
  [[nodiscard]] std::optional<std::vector<Rational>> other_prior_numbers(
      const Model& model, std::string_view name, const Rational& number) const override {
    if (name != "bdeu") return std::nullopt;
    std::vector<Rational> out;
    for (const BayesNode& node : model.get<BayesNet>().nodes)
      out.insert(out.end(), node.alpha.size(), number / static_cast<unsigned long>(node.alpha.size()));
    return out;
  }
  [[nodiscard]] Model with_prior(const Model& model, const std::vector<Rational>& numbers) const override {
    BayesNet net = model.get<BayesNet>();
    net.learned = false;
    auto next = numbers.begin();
    for (BayesNode& node : net.nodes) {
      for (Rational& alpha : node.alpha) alpha = numbers.size() == 1 ? numbers.front() : *next++;
    }
    return net;
  }
  [[nodiscard]] Model without_prior(const Model& model) const override {
    BayesNet net = model.get<BayesNet>();
    for (BayesNode& node : net.nodes) node.alpha.clear();
    net.learned = false;
    return net;
  }
  [[nodiscard]] bool takes_learned_prior(const Model& /*model*/) const override { return true; }
  [[nodiscard]] bool learned_prior(const Model& model) const override {
    return model.get<BayesNet>().learned;
  }
  /// Planned for with one record a cell.
  [[nodiscard]] Model with_learned_prior(const Model& model) const override {
    BayesNet net = model.get<BayesNet>();
    net.learned = true;
    for (BayesNode& node : net.nodes) node.alpha.assign(node.alpha.size(), 1);
    return net;
  }
  /// Of the row about which it says most.
  [[nodiscard]] double prior_records(const Model& model) const override {
    const auto& net = model.get<BayesNet>();
    if (net.learned) return 0;
    const std::vector<std::size_t> levels = levels_by_tables(net);
    double most = 0;
    for (std::size_t i = 0; i < net.nodes.size(); ++i) {
      const std::vector<Rational>& alpha = net.nodes[i].alpha;
      for (std::size_t at = 0; at < alpha.size(); at += levels[i]) {
        double row = 0;
        for (std::size_t level = 0; level < levels[i]; ++level) row += alpha[at + level].get_d();
        most = std::max(most, row);
      }
    }
    return most;
  }
  [[nodiscard]] std::vector<Rational> scaled_prior(const Model& model,
                                                   const Rational& factor) const override {
    std::vector<Rational> all;
    for (const BayesNode& node : model.get<BayesNet>().nodes)
      all.insert(all.end(), node.alpha.begin(), node.alpha.end());
    return times(std::move(all), factor);
  }

  /// "cpt_2.1.3": the second node, its first row, its third level.
  [[nodiscard]] std::vector<Parameter> parameters(const Study& study) const override {
    const auto& net = study.model.get<BayesNet>();
    std::vector<Parameter> out;
    for (std::size_t i = 0; i < net.nodes.size(); ++i) {
      const BayesNode& node = net.nodes[i];
      const Column& column = study.schema.at(node.column);
      for (std::size_t row = 0; row * column.levels() < node.alpha.size(); ++row) {
        const std::string name = "cpt_" + std::to_string(i + 1) + "." + std::to_string(row + 1) + ".";
        const std::string given = row_text(node, study.schema, row);
        for (std::uint32_t level = 0; level < column.levels(); ++level) {
          out.push_back({name + std::to_string(level + 1), "P(" + node.column + " = " + column.label(level) +
                                                               (given.empty() ? "" : " | " + given) + ")"});
        }
      }
    }
    return out;
  }
  [[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate(const Study& study, std::int64_t n,
                                                                 const Assumed& assumed,
                                                                 Rng& rng) const override {
    const auto& net = study.model.get<BayesNet>();
    std::vector<std::uint32_t> levels;
    for (const BayesNode& node : net.nodes) levels.push_back(study.schema.at(node.column).levels());
    std::vector<double> theta = assumed ? *assumed : draw_tables(net, levels, rng);
    const Rng own(rng(), 0, Purpose::simulation);
    return std::make_unique<SimulatedNetwork>(net, std::move(levels), std::move(theta), n, own);
  }

 private:
  std::string_view word_;
};

}  // namespace

const Kind& kind_of(const BayesNet& model) {
  static const BayesNetKind network("bayes-net");
  static const BayesNetKind naive("naive-bayes");
  return model.class_column ? naive : network;
}

}  // namespace postern::model
