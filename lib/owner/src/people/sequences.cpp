#include <algorithm>
#include <numeric>

#include "postern/core/error.hpp"
#include "postern/owner/contribution.hpp"

namespace postern::owner {
namespace {

std::uint32_t level_of(const CodedColumn& column, std::size_t row) {
  return std::visit([row](const auto& codes) { return std::uint32_t{codes[row]}; }, column);
}

template <class Code>
void permute(Wiped<Code>& codes, const Wiped<std::size_t>& rows) {
  Wiped<Code> out(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) out[i] = codes[rows[i]];
  codes = std::move(out);
}

}  // namespace

Wiped<std::uint8_t> order_people(std::vector<CodedColumn>& columns, const Wiped<PersonDigest>& people,
                                 std::size_t order) {
  Wiped<std::size_t> rows;
  for (std::size_t row = 0; row < people.size(); ++row) {
    if (people[row] != kNobody) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    if (people[a] != people[b]) return people[a] < people[b];
    const std::uint32_t time_a = level_of(columns[order], a);
    const std::uint32_t time_b = level_of(columns[order], b);
    if (time_a != time_b) return time_a < time_b;
    for (const CodedColumn& column : columns) {
      const std::uint32_t level_a = level_of(column, a);
      const std::uint32_t level_b = level_of(column, b);
      if (level_a != level_b) return level_a < level_b;
    }
    return false;
  });
  for (CodedColumn& column : columns) std::visit([&](auto& codes) { permute(codes, rows); }, column);
  Wiped<std::uint8_t> first(rows.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i)
    first[i] = i == 0 || people[rows[i]] != people[rows[i - 1]] ? 1 : 0;
  return first;
}

Records bounded_records(std::vector<std::string> names, std::vector<std::uint32_t> levels,
                        std::vector<CodedColumn> columns, const Wiped<PersonDigest>& people,
                        const ContributionBound& bound, int threads) {
  if (!bound.ordered_by) {
    const std::size_t rows = bound_contributions(columns, people, bound, threads);
    return Records(std::move(names), std::move(levels), std::move(columns), rows);
  }
  const auto order = std::find(names.begin(), names.end(), *bound.ordered_by);
  if (order == names.end()) throw Error(ErrorCode::internal, {"records are read without their time"});
  Wiped<std::uint8_t> first = order_people(columns, people, static_cast<std::size_t>(order - names.begin()));
  const std::size_t rows = first.size();
  names.emplace_back(kFirstOfPerson);
  levels.push_back(2);
  columns.emplace_back(std::move(first));
  return Records(std::move(names), std::move(levels), std::move(columns), rows);
}

}  // namespace postern::owner
