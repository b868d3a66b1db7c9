#include "level_draw.hpp"

#include <algorithm>
#include <utility>

#include "postern/core/draw.hpp"

namespace postern::infer {

std::size_t stride_of(const LatentTables::Table& table, std::uint32_t variable) {
  const auto place = std::lower_bound(table.variables.begin(), table.variables.end(), variable);
  return table.strides[static_cast<std::size_t>(place - table.variables.begin())];
}

std::vector<std::size_t> combinations(const LatentTables::Table& table,
                                      std::span<const std::uint32_t> variables,
                                      std::span<const std::uint32_t> sizes) {
  std::vector<std::size_t> out{0};
  for (const std::uint32_t v : variables) {
    std::vector<std::size_t> next;
    next.reserve(out.size() * sizes[v]);
    for (const std::size_t before : out) {
      for (std::size_t level = 0; level < sizes[v]; ++level)
        next.push_back(before + level * stride_of(table, v));
    }
    out = std::move(next);
  }
  return out;
}

LevelDraw::LevelDraw(const LatentTables& tables, std::size_t clique, graph::Variables fresh,
                     const graph::Variables& hidden)
    : fresh_(std::move(fresh)) {
  const LatentTables::Table& table = tables.clique(clique);
  const graph::Sizes& sizes = tables.tree().sizes();
  offset_ = table.offset;
  const auto among = [](const graph::Variables& some, std::uint32_t v) {
    return std::find(some.begin(), some.end(), v) != some.end();
  };
  for (const std::uint32_t v : table.variables) {
    if (!among(fresh_, v) && !among(hidden, v)) given_.push_back({v, stride_of(table, v)});
  }
  graph::Variables given;
  for (const Given& g : given_) given.push_back(g.variable);
  if (hidden.empty()) all_ = tables.find(given);
  for (const std::uint32_t v : fresh_) sizes_.push_back(sizes[v]);
  combinations_ = combinations(table, fresh_, sizes);
  hidden_ = combinations(table, hidden, sizes);
}

bool LevelDraw::draw(std::span<const std::int64_t> counts, std::span<std::uint32_t> record, Rng& rng) const {
  const std::int64_t* row = counts.data() + offset_;
  for (const Given& given : given_) row += given.stride * record[given.variable];
  std::int64_t all = 0;
  if (all_ != nullptr) {
    all = counts[LatentTables::cell(*all_, record)];
  } else {
    for (const std::size_t combination : combinations_) all += records(row, combination);
  }
  if (all == 0) return false;
  auto left = static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(all), rng));
  std::size_t chosen = 0;
  for (;; ++chosen) {
    const std::int64_t here = records(row, combinations_[chosen]);
    if (left < here) break;
    left -= here;
  }
  for (std::size_t i = fresh_.size(); i-- > 0;) {
    record[fresh_[i]] = static_cast<std::uint32_t>(chosen % sizes_[i]);
    chosen /= sizes_[i];
  }
  return true;
}

}  // namespace postern::infer
