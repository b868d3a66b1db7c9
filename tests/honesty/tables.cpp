#include <algorithm>
#include <numeric>

#include "bounds.hpp"
#include "honest_case.hpp"
#include "seen_table.hpp"

// Tables of counts of real columns: every margin, every cell, every conditional of the last column given the
// others, and n where it is private.

namespace postern::honesty {
namespace {

/// Probability of some cells, or of them given others.
struct Share {
  std::vector<std::size_t> cells;
  std::vector<std::size_t> given;  ///< empty: of all
};

struct TableSpec {
  std::string name;
  std::string file;
  std::vector<std::string> columns;
  std::string budget;
  bool private_n = true;
  bool zcdp = false;
  bool in_slice = false;
  std::vector<std::pair<std::string, std::vector<double>>> cuts = {};
};

class TableCase final : public HonestCase {
 public:
  TableCase(const TableSpec& spec, Records records);
  [[nodiscard]] std::vector<Fact> facts(const release::Release& release, const infer::Posterior& posterior,
                                        std::size_t records) const override;

 private:
  void list_shares();
  [[nodiscard]] Fact share_fact(const Share& share, const SeenTable& seen,
                                const infer::Posterior& posterior) const;

  bool private_n_;
  std::vector<std::size_t> sizes_;
  std::vector<double> cells_;  ///< probabilities in the population
  std::vector<Share> shares_;
};

/// Those that are declared: of a number by its cuts, of a category by what occurs.
std::vector<std::string> levels_of(const TableSpec& spec, const std::string& column, const Records& records) {
  for (const auto& [name, cuts] : spec.cuts) {
    if (name != column) continue;
    std::vector<std::string> out;
    for (std::size_t level = 0; level <= cuts.size(); ++level) out.push_back(std::to_string(level));
    return out;
  }
  return levels(records, column);
}

TableCase::TableCase(const TableSpec& spec, Records records) : private_n_(spec.private_n) {
  name = "table/" + spec.name;
  budget = spec.budget;
  in_slice = spec.in_slice;
  population = std::move(records);
  n = population.rows.size();
  study = study_head(spec.name, spec.private_n, spec.zcdp, n);
  std::string quoted;
  std::vector<std::vector<std::string>> all;
  for (const std::string& column : spec.columns) {
    all.push_back(levels_of(spec, column, population));
    sizes_.push_back(all.back().size());
    study += category_column(column, all.back());
    quoted += (quoted.empty() ? "\"" : ", \"") + column + "\"";
  }
  study += "\n[model]\nkind = \"family\"\nfamily = \"categorical\"\ncolumns = [" + quoted + "]\n";
  cells_.assign(std::accumulate(sizes_.begin(), sizes_.end(), std::size_t{1}, std::multiplies<>()), 0);
  for (const auto& row : population.rows) {
    std::size_t cell = 0;
    for (std::size_t c = 0; c < sizes_.size(); ++c) {
      const auto level = std::find(all[c].begin(), all[c].end(), row[c]) - all[c].begin();
      cell = cell * sizes_[c] + static_cast<std::size_t>(level);
    }
    cells_[cell] += 1 / static_cast<double>(n);
  }
  list_shares();
}

void TableCase::list_shares() {
  std::size_t below = cells_.size();
  for (const std::size_t size : sizes_) {
    below /= size;
    for (std::size_t level = 0; level < size; ++level) {
      Share margin;
      for (std::size_t cell = 0; cell < cells_.size(); ++cell)
        if (cell / below % size == level) margin.cells.push_back(cell);
      shares_.push_back(std::move(margin));
    }
  }
  if (sizes_.size() < 2) return;
  const std::size_t last = sizes_.back();
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    shares_.push_back({{cell}, {}});
    Share conditional{{cell}, {}};
    for (std::size_t k = 0; k < last; ++k) conditional.given.push_back(cell / last * last + k);
    double given = 0;
    for (const std::size_t k : conditional.given) given += cells_[k];
    if (given > 0) shares_.push_back(std::move(conditional));
  }
}

double sum_of(const std::vector<double>& values, const std::vector<std::size_t>& cells) {
  double out = 0;
  for (const std::size_t cell : cells) out += values[cell];
  return out;
}

std::vector<double> sums_of_draws(const infer::Posterior& posterior, const std::vector<std::size_t>& cells) {
  const std::size_t draws = posterior.iterations;
  std::vector<double> out(posterior.chains * draws);
  for (std::size_t c = 0; c < posterior.chains; ++c) {
    for (const std::size_t cell : cells) {
      for (std::size_t i = 0; i < draws; ++i) out[c * draws + i] += posterior.draws[c][cell * draws + i];
    }
  }
  return out;
}

Fact TableCase::share_fact(const Share& share, const SeenTable& seen,
                           const infer::Posterior& posterior) const {
  std::vector<double> values = sums_of_draws(posterior, share.cells);
  const double p = sum_of(cells_, share.cells);
  if (share.given.empty()) return seen.share(p, share.cells, ends_of(std::move(values)));
  const std::vector<double> given = sums_of_draws(posterior, share.given);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] /= std::max(given[i], 1e-300);
  return seen.conditional(p, sum_of(cells_, share.given), share.cells, ends_of(std::move(values)));
}

std::vector<Fact> TableCase::facts(const release::Release& release, const infer::Posterior& posterior,
                                   std::size_t records) const {
  const SeenTable seen(release.blocks.at(0), records, private_n_);
  std::vector<Fact> out;
  for (const Share& share : shares_) out.push_back(share_fact(share, seen, posterior));
  if (private_n_) out.push_back(total_fact({seen}, records, ends_of(draws_of(posterior, cells_.size()))));
  return out;
}

std::vector<TableSpec> table_specs() {
  const std::vector<double> hours = {5,  8,  11, 14, 17, 20, 23, 26, 29, 32, 36, 39, 42, 45, 48, 51,
                                     54, 57, 60, 63, 66, 70, 73, 76, 79, 82, 85, 88, 91, 94, 97};
  const std::vector<double> losses = {1,    200,  297,  394,  490,  587,  683,  780,  876,  973,  1069,
                                      1166, 1263, 1359, 1456, 1552, 1649, 1745, 1842, 1938, 2035, 2132,
                                      2228, 2325, 2421, 2518, 2614, 2711, 2807, 2904, 3000};
  const std::string adult = "adult.csv";
  const bool yes = true;
  const bool no = false;
  return {
      {"adult-education-x-country", adult, {"education", "native-country"}, "0.1", yes, no, no},
      {"adult-loss-x-hours",
       adult,
       {"capital-loss", "hours-per-week"},
       "0.00077",
       yes,
       yes,
       no,
       {{"capital-loss", losses}, {"hours-per-week", hours}}},
      {"adult-loss-x-hours-public-n",
       adult,
       {"capital-loss", "hours-per-week"},
       "0.00077",
       no,
       yes,
       no,
       {{"capital-loss", losses}, {"hours-per-week", hours}}},
      {"adult-workclass-x-education", adult, {"workclass", "education"}, "0.1", no, no, no},
      {"adult-marital-x-occupation", adult, {"marital-status", "occupation"}, "0.005", yes, yes, yes},
      {"adult-race-x-sex-x-income", adult, {"race", "sex", "income"}, "0.05", yes, no, no},
      {"adult-race-x-country", adult, {"race", "native-country"}, "0.3", no, no, no},
      {"males-industry-x-occupation", "Males.csv", {"industry", "occupation"}, "0.1", yes, no, yes},
      {"males-school-x-ethn-x-union", "Males.csv", {"school", "ethn", "union"}, "0.5", yes, no, no},
      {"ofp-region-x-hlth-x-chronic", "OFP.csv", {"region", "hlth", "numchron"}, "0.3", yes, no, no},
      {"ofp-hlth-x-region", "OFP.csv", {"hlth", "region"}, "0.05", yes, no, no},
      {"chile-region-x-education-x-vote", "Chile.csv", {"region", "education", "vote"}, "0.1", no, no, yes},
      {"chile-education-x-vote", "Chile.csv", {"education", "vote"}, "0.02", yes, yes, no},
      {"retschool-region-x-famed", "RetSchool.csv", {"region", "famed"}, "0.2", yes, no, no},
      {"retschool-region-x-grade", "RetSchool.csv", {"region", "grade76"}, "0.05", no, yes, no},
      {"turnout-age-x-race",
       "turnout.csv",
       {"age", "race"},
       "0.05",
       yes,
       no,
       no,
       {{"age", {25, 35, 45, 55, 65}}}},
      {"turnout-age-x-school-x-vote",
       "turnout.csv",
       {"age", "educate", "vote"},
       "0.2",
       yes,
       no,
       no,
       {{"age", {25, 35, 45, 55, 65}}}},
      {"computers-speed-x-ram-x-screen", "Computers.csv", {"speed", "ram", "screen"}, "1", no, no, no},
  };
}

}  // namespace

void add_tables(Sources& sources, Cases& cases) {
  for (const TableSpec& spec : table_specs()) {
    const std::optional<Records>& found = sources.read(spec.file);
    if (!found) continue;
    Records records = select(*found, spec.columns, false);
    for (const auto& [column, cuts] : spec.cuts) records = cut(std::move(records), column, cuts);
    cases.push_back(std::make_unique<TableCase>(spec, std::move(records)));
  }
}

}  // namespace postern::honesty
