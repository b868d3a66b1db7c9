#include "bounds.hpp"
#include "honest_case.hpp"
#include "joint.hpp"
#include "seen_table.hpp"

// Markov trees that the release chooses (`--select tree`): n, the three most frequent levels of every column,
// and the two most frequent cells of every pair that was measured.

namespace postern::honesty {
namespace {

struct TreeSpec {
  std::string name;
  std::string file;
  std::vector<std::string> columns;
  std::string rho;
  bool in_slice = false;
  std::vector<std::pair<std::string, std::vector<double>>> cuts = {};
};

class TreeCase final : public HonestCase {
 public:
  TreeCase(const TreeSpec& spec, Records records) {
    name = "tree/" + spec.name;
    budget = spec.rho;
    in_slice = spec.in_slice;
    select_tree = true;
    population = std::move(records);
    n = population.rows.size();
    study = study_head(spec.name, true, true, n);
    for (const std::string& column : spec.columns)
      study += category_column(column, levels(population, column));
  }

  [[nodiscard]] std::vector<Fact> facts(const release::Release& release, const infer::Posterior& posterior,
                                        std::size_t records) const override;
};

std::vector<Fact> TreeCase::facts(const release::Release& release, const infer::Posterior& posterior,
                                  std::size_t records) const {
  constexpr std::size_t kLevels = 3;
  constexpr std::size_t kCells = 2;
  Asked asked(release, posterior);
  std::vector<SeenTable> tables;
  std::vector<Fact> out;
  for (const auto& block : release.blocks) {
    const model::Statistic& statistic = block.block.statistic;
    if (statistic.kind().is_choice()) continue;
    const Joint joint(population, statistic.kind().columns(statistic));
    tables.emplace_back(block, records, true);
    const std::size_t columns = joint.columns().size();
    for (const std::size_t cell : joint.largest(columns == 1 ? kLevels : kCells)) {
      const Ends ends = asked("P(" + joint.condition(cell, 0, columns) + ")");
      out.push_back(tables.back().share(joint.share({cell}), {cell}, ends));
    }
  }
  out.push_back(total_fact(tables, records,
                           ends_of(draws_of(posterior, quantity_labelled(posterior, "number of records")))));
  return out;
}

std::vector<TreeSpec> tree_specs() {
  const std::vector<double> ages = {20, 22, 24, 27, 29, 31, 34, 36, 38, 41, 43, 45, 48, 50, 52, 54,
                                    57, 59, 61, 64, 66, 68, 71, 73, 75, 78, 80, 82, 85, 87, 89};
  const std::vector<double> hours = {5,  8,  11, 14, 17, 20, 23, 26, 29, 32, 36, 39, 42, 45, 48, 51,
                                     54, 57, 60, 63, 66, 70, 73, 76, 79, 82, 85, 88, 91, 94, 97};
  return {
      {"adult-six",
       "adult.csv",
       {"workclass", "education", "marital-status", "occupation", "relationship", "income"},
       "0.002"},
      {"adult-all",
       "adult.csv",
       {"age", "workclass", "education", "marital-status", "occupation", "relationship", "race", "sex",
        "hours-per-week", "native-country", "income"},
       "0.015",
       false,
       {{"age", ages}, {"hours-per-week", hours}}},
      {"males-six", "Males.csv", {"industry", "occupation", "ethn", "union", "residence", "married"}, "0.01"},
      {"ofp-seven",
       "OFP.csv",
       {"region", "hlth", "numchron", "sex", "privins", "medicaid", "employed"},
       "0.02"},
      {"chile-five", "Chile.csv", {"region", "sex", "education", "vote", "income"}, "0.05", true},
  };
}

}  // namespace

void add_trees(Sources& sources, Cases& cases) {
  for (const TreeSpec& spec : tree_specs()) {
    const std::optional<Records>& found = sources.read(spec.file);
    if (!found) continue;
    Records records = select(*found, spec.columns, false);
    for (const auto& [column, cuts] : spec.cuts) records = cut(std::move(records), column, cuts);
    cases.push_back(std::make_unique<TreeCase>(spec, std::move(records)));
  }
}

}  // namespace postern::honesty
