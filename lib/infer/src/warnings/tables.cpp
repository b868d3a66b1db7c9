#include "tables.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "postern/graph/strided.hpp"
#include "postern/infer/noise/published_values.hpp"
#include "postern/release/foreign.hpp"
#include "postern/release/noise_sum.hpp"

#include "posterior/words.hpp"

namespace postern::infer {
namespace {

using graph::Variables;
using release::NoiseSum;

/// A released table, and its margins once they were asked for.
struct Counted {
  Variables columns;  ///< by their places in the schema
  std::vector<double> values;
  release::NoiseLaw law;
  std::map<Variables, std::vector<double>> margins = {};

  const std::vector<double>& margin(const Variables& over, const graph::Sizes& sizes) {
    const auto [at, is_new] = margins.try_emplace(over);
    if (!is_new) return at->second;
    at->second.resize(static_cast<std::size_t>(graph::cells_of(over, sizes)));
    graph::Strided(columns, over, sizes)
        .walk([&](std::size_t first, std::size_t other, std::size_t count, std::size_t step) {
          for (std::size_t i = 0; i < count; ++i) at->second[other + i * step] += values[first + i];
        });
    return at->second;
  }
};

Variables places(const std::vector<std::string>& names, const model::Schema& schema) {
  Variables out;
  for (const std::string& name : names) {
    const auto at = std::ranges::find(schema.columns(), name, &model::Column::name);
    out.push_back(static_cast<std::uint32_t>(at - schema.columns().begin()));
  }
  return out;
}

/// Does it count all records, each in one cell of its columns' table?
bool counts_cells(const model::Statistic& statistic, const model::Schema& schema, std::size_t values) {
  const model::StatisticKind& kind = statistic.kind();
  return !kind.total_text().empty() &&
         (kind.columns(statistic).empty() || kind.cells(statistic, schema) == values);
}

/// Tables to which nothing but noise was added, and the number of records, a table of no columns.
std::vector<Counted> tables_of(const release::RecordSet& releases) {
  std::vector<Counted> out;
  const model::Schema& schema = releases.front()->study.schema;
  const auto add = [&](const model::Statistic& statistic, std::vector<double> values,
                       const release::NoiseLaw& law) {
    if (counts_cells(statistic, schema, values.size()))
      out.push_back({places(statistic.kind().columns(statistic), schema), std::move(values), law});
  };
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& block : release->blocks) {
      if (block.block.statistic.kind().is_choice()) continue;
      add(block.block.statistic, {block.values.begin(), block.values.end()},
          release::noise_law(block.block.noise));
    }
    if (!release->foreign) continue;
    for (const model::ForeignBlock& block : release->foreign->blocks) {
      const std::vector<NoisyValue> values = noisy_values(block);
      if (any_band(values)) continue;
      std::vector<double> plain;
      for (const NoisyValue& value : values) plain.push_back(value.y);
      add(block.statistic, std::move(plain), release::noise_law(block));
    }
  }
  return out;
}

/// How far two tables are apart in what they count alike.
struct Difference {
  const Counted* a = nullptr;
  const Counted* b = nullptr;
  Variables shared;
  double most = 0;        ///< in one cell
  double log_chance = 0;  ///< a bound: of noise like that, in that cell or in all
};

Difference difference(Counted& a, Counted& b, const graph::Sizes& sizes) {
  Difference out{&a, &b, {}, 0, 0};
  const Variables mine = graph::sorted(a.columns);
  const Variables theirs = graph::sorted(b.columns);
  std::ranges::set_intersection(mine, theirs, std::back_inserter(out.shared));
  const std::vector<double>& left = a.margin(out.shared, sizes);
  const std::vector<double>& right = b.margin(out.shared, sizes);
  const auto cells = static_cast<double>(left.size());
  double sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const double apart = std::abs(left[i] - right[i]);
    out.most = std::max(out.most, apart);
    sum += apart;
  }
  const auto noise = [&](double times) {
    NoiseSum one(a.law, times * static_cast<double>(a.values.size()) / cells);
    one.add(b.law, times * static_cast<double>(b.values.size()) / cells);
    return one;
  };
  const NoiseSum each = noise(1);
  const double sd = std::sqrt(each.variance());
  // Both sides and all cells; half of the chance is that of the sum.
  if (out.most > 3 * sd) out.log_chance = each.log_tail(out.most) + std::log(4 * cells);
  // |x_1| + .. + |x_k| is the largest of the 2^k sums of +-x_i, which all have one law.
  if (sum > sd * cells) {
    const double all = noise(cells).log_tail(sum) + cells * std::numbers::ln2 + std::numbers::ln2;
    out.log_chance = std::min(out.log_chance, all);
  }
  return out;
}

std::string names(const Variables& columns, const model::Schema& schema) {
  std::string out;
  for (const std::uint32_t column : columns)
    out += (out.empty() ? "" : " x ") + schema.columns()[column].name;
  return out;
}

std::string title(const Counted& table, const model::Schema& schema) {
  return table.columns.empty() ? "the count of all records" : "the table of " + names(table.columns, schema);
}

Warning warning_of(const Difference& found, const model::Schema& schema, double chance) {
  return {
      "tables-disagree",
      title(*found.a, schema) + " and " + title(*found.b, schema) + " differ in how many records there are" +
          (found.shared.empty() ? "" : " at each level of " + names(found.shared, schema)) + ", by up to " +
          whole_text(found.most) + ": noise alone does that less than once in " + whole_text(1 / chance) +
          " releases. They are not of the same records, the cells of one are in another order, or the "
          "noise is larger than stated: compare columns, levels and scales with what was measured, and do "
          "not use this posterior"};
}

}  // namespace

std::optional<Warning> disagreeing_tables(const release::RecordSet& releases, double chance) {
  std::vector<Counted> tables = tables_of(releases);
  if (tables.size() < 2) return std::nullopt;
  const model::Schema& schema = releases.front()->study.schema;
  graph::Sizes sizes;
  for (const model::Column& column : schema.columns()) sizes.push_back(column.levels());
  Difference worst;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      Difference one = difference(tables[j], tables[i], sizes);
      if (one.log_chance < worst.log_chance) worst = std::move(one);
    }
  }
  // Where tables were chosen, any of the columns' pairs could have been among them.
  auto possible = static_cast<double>(tables.size());
  if (releases.front()->rounds)
    possible = std::max(possible, static_cast<double>(sizes.size() * sizes.size()));
  if (!(worst.log_chance < std::log(chance) - std::log(possible * possible / 2))) return std::nullopt;
  return warning_of(worst, schema, chance);
}

}  // namespace postern::infer
