#include <algorithm>
#include <map>

#include "postern/infer/query.hpp"
#include "postern/release/rounds.hpp"

#include "bounds.hpp"
#include "honest_case.hpp"

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
  TreeCase(const TreeSpec& spec, Records records) : columns_(spec.columns) {
    name = "tree/" + spec.name;
    budget = spec.rho;
    in_slice = spec.in_slice;
    select_tree = true;
    population = std::move(records);
    n = population.rows.size();
    study = study_head(spec.name, true, true, n);
    for (const std::string& column : columns_) {
      std::string list;
      const std::vector<std::string> all = levels(population, column);
      for (const std::string& level : all) list += (list.empty() ? "\"" : ", \"") + level + "\"";
      study += column_header(column) + "categories = [" + list + "]\nmissing = \"" + all[0] + "\"\n";
    }
  }

  [[nodiscard]] std::vector<Fact> facts(const release::Release& release, const infer::Posterior& posterior,
                                        std::size_t records) const override;

 private:
  std::vector<std::string> columns_;
};

/// The most frequent values of some columns together, and the share of each.
std::vector<std::pair<double, std::vector<std::string>>> most_frequent(
    const Records& records, const std::vector<std::string>& columns, std::size_t how_many) {
  std::vector<std::size_t> places;
  for (const std::string& column : columns) places.push_back(records.place(column));
  std::map<std::vector<std::string>, double> counts;
  for (const auto& row : records.rows) {
    std::vector<std::string> key;
    for (const std::size_t place : places) key.push_back(row[place]);
    counts[key] += 1 / static_cast<double>(records.rows.size());
  }
  std::vector<std::pair<double, std::vector<std::string>>> out;
  for (const auto& [key, share] : counts) out.emplace_back(share, key);
  std::sort(out.rbegin(), out.rend());
  out.resize(std::min(out.size(), how_many));
  return out;
}

std::vector<Fact> TreeCase::facts(const release::Release& release, const infer::Posterior& posterior,
                                  std::size_t records) const {
  std::vector<std::vector<std::string>> measured;
  for (const std::string& column : columns_) measured.push_back({column});
  for (const auto& block : release.blocks) {
    if (block.block.statistic.kind().is_choice()) continue;
    const std::vector<std::string> columns = block.block.statistic.kind().columns(block.block.statistic);
    if (columns.size() == 2) measured.push_back(columns);
  }
  const model::Study settled = release::settled(release).study;
  infer::Posterior answered = posterior;
  std::vector<Fact> out;
  for (const auto& columns : measured) {
    for (const auto& [share, values] : most_frequent(population, columns, columns.size() == 1 ? 3 : 2)) {
      std::string text;
      for (std::size_t c = 0; c < columns.size(); ++c)
        text += (c == 0 ? "" : ", ") + columns[c] + " = \"" + values[c] + "\"";
      const infer::Query query = infer::parse_query("P(" + text + ")", settled);
      infer::answer_query(query, out.size() + 1, settled, answered);
      const Ends ends = ends_of(draws_of(answered, answered.names.size() - 1));
      Fact fact;
      fact.truth = share;
      fact.lower = ends.lower;
      fact.upper = ends.upper;
      fact.unit = share;
      out.push_back(fact);
    }
  }
  const Ends ends = ends_of(draws_of(posterior, quantity_labelled(posterior, "number of records")));
  Fact total;
  total.truth = static_cast<double>(records);
  total.lower = ends.lower;
  total.upper = ends.upper;
  total.unit = total.truth;
  out.push_back(total);
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
      {"males-six",
       "Males.csv",
       {"industry", "occupation", "ethn", "union", "residence", "married"},
       "0.01",
       true},
      {"ofp-seven",
       "OFP.csv",
       {"region", "hlth", "numchron", "sex", "privins", "medicaid", "employed"},
       "0.02"},
      {"chile-five", "Chile.csv", {"region", "sex", "education", "vote", "income"}, "0.05"},
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
