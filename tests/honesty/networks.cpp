#include <algorithm>
#include <set>

#include "bounds.hpp"
#include "honest_case.hpp"
#include "joint.hpp"
#include "seen_table.hpp"

// Bayesian networks of real columns: every level, cell and conditional share of the tables that were
// released, and n where it is private.

namespace postern::honesty {
namespace {

struct NetworkSpec {
  std::string name;
  std::string file;
  std::vector<std::string> columns;
  std::string model;  ///< the study's [model] but its header
  std::string budget;
  bool private_n = true;
  bool zcdp = false;
  bool in_slice = false;
};

class NetworkCase final : public HonestCase {
 public:
  NetworkCase(const NetworkSpec& spec, Records records) : private_n_(spec.private_n) {
    name = "network/" + spec.name;
    budget = spec.budget;
    in_slice = spec.in_slice;
    population = std::move(records);
    n = population.rows.size();
    study = study_head(spec.name, spec.private_n, spec.zcdp, n);
    for (const std::string& column : spec.columns)
      study += category_column(column, levels(population, column));
    study += "\n[model]\n" + spec.model;
  }

  [[nodiscard]] std::vector<Fact> facts(const release::Release& release, const infer::Posterior& posterior,
                                        std::size_t records) const override;

 private:
  bool private_n_;
};

/// Facts of one released table; those that another table told already are left out.
void add_facts(const Joint& joint, const SeenTable& seen, std::set<std::string>& told, Asked& asked,
               std::vector<Fact>& out) {
  const std::size_t columns = joint.columns().size();
  const auto ask = [&](const std::string& query) -> std::optional<Ends> {
    if (!told.insert(query).second) return std::nullopt;
    return asked("P(" + query + ")");
  };
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t level = 0; level < joint.levels(column).size(); ++level) {
      const std::vector<std::size_t> cells = joint.slice(column, level);
      const std::optional<Ends> ends = ask(joint.condition(cells.front(), column, column + 1));
      if (ends) out.push_back(seen.share(joint.share(cells), cells, *ends));
    }
  }
  if (columns < 2) return;
  for (std::size_t cell = 0; cell < joint.cells(); ++cell) {
    const double given = joint.share(joint.row(cell));
    const std::optional<Ends> ends = ask(joint.condition(cell, 0, columns));
    if (ends) out.push_back(seen.share(joint.share({cell}), {cell}, *ends));
    if (!(given > 0)) continue;
    const std::optional<Ends> among =
        ask(joint.condition(cell, columns - 1, columns) + " | " + joint.condition(cell, 0, columns - 1));
    if (among) out.push_back(seen.conditional(joint.share({cell}), given, {cell}, *among));
  }
}

std::vector<Fact> NetworkCase::facts(const release::Release& release, const infer::Posterior& posterior,
                                     std::size_t records) const {
  Asked asked(release, posterior);
  std::set<std::string> told;
  std::vector<SeenTable> tables;
  std::vector<Fact> out;
  for (const auto& block : release.blocks) {
    const model::Statistic& statistic = block.block.statistic;
    const Joint joint(population, statistic.kind().columns(statistic));
    if (joint.cells() != block.values.size()) continue;  // one level of two, where n is public
    tables.emplace_back(block, records, private_n_);
    add_facts(joint, tables.back(), told, asked, out);
  }
  if (private_n_) {
    out.push_back(total_fact(
        tables, records, ends_of(draws_of(posterior, quantity_labelled(posterior, "number of records")))));
  }
  return out;
}

std::vector<NetworkSpec> network_specs() {
  const bool yes = true;
  const bool no = false;
  return {
      {"adult-income",
       "adult.csv",
       {"education", "marital-status", "relationship", "sex", "income"},
       "kind = \"bayes-net\"\nedges = [[\"education\", \"income\"], [\"marital-status\", \"income\"], "
       "[\"sex\", \"relationship\"], [\"relationship\", \"marital-status\"]]\n",
       "0.2",
       yes},
      {"males-union",
       "Males.csv",
       {"industry", "occupation", "ethn", "union"},
       "kind = \"bayes-net\"\nedges = [[\"industry\", \"occupation\"], [\"occupation\", \"union\"], "
       "[\"ethn\", \"union\"]]\n",
       "0.5",
       yes},
      {"chile-vote",
       "Chile.csv",
       {"vote", "region", "sex", "education", "income"},
       "kind = \"naive-bayes\"\nclass = \"vote\"\n",
       "0.05",
       no,
       yes,
       yes},
      {"ofp-health",
       "OFP.csv",
       {"region", "hlth", "numchron", "sex", "medicaid"},
       "kind = \"bayes-net\"\nedges = [[\"hlth\", \"numchron\"], [\"region\", \"medicaid\"], [\"medicaid\", "
       "\"hlth\"]]\n",
       "1",
       no},
  };
}

}  // namespace

void add_networks(Sources& sources, Cases& cases) {
  for (const NetworkSpec& spec : network_specs()) {
    const std::optional<Records>& found = sources.read(spec.file);
    if (found) cases.push_back(std::make_unique<NetworkCase>(spec, select(*found, spec.columns, false)));
  }
}

}  // namespace postern::honesty
