#include "statistic/sequences/sequence.hpp"

#include <algorithm>

#include "postern/core/int128.hpp"
#include "postern/core/mutant.hpp"

namespace postern::model {

std::vector<Moment> agreed_states(std::span<const std::uint32_t> rows) {
  std::vector<Moment> out;
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin;
    bool agree = true;
    for (; end < rows.size() && rows[end] == rows[begin]; end += 2) agree &= rows[end + 1] == rows[begin + 1];
    if (agree) out.push_back({rows[begin], rows[begin + 1]});
    begin = end;
  }
  return out;
}

CellCounts count_transitions(std::span<const Moment> moments, std::uint32_t states,
                             std::optional<std::uint32_t> idle) {
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i + 1 < moments.size(); ++i) {
    const Moment& from = moments[i];
    const Moment& to = moments[i + 1];
    if (to.time != from.time + 1 || (from.state == to.state && idle == from.state)) continue;
    cells.push_back(std::size_t{from.state} * states + to.state);
  }
  std::sort(cells.begin(), cells.end());
  CellCounts out;
  for (const std::size_t cell : cells) {
    if (out.empty() || out.back().first != cell) out.emplace_back(cell, 0);
    ++out.back().second;
  }
  return out;
}

CellCounts weigh_transitions(CellCounts counts, std::int64_t at_most, std::int64_t parts) {
  std::int64_t all = 0;
  for (const auto& [cell, count] : counts) all += count;
  const bool too_many = all > at_most && !mutant(108);
  for (auto& [cell, count] : counts) {
    const Int128 scaled = Int128{parts} * count * (too_many ? at_most : 1);
    const Int128 up = mutant(111) && too_many ? all - 1 : 0;
    count = static_cast<std::int64_t>((scaled + up) / (too_many ? all : 1));
  }
  return counts;
}

}  // namespace postern::model
