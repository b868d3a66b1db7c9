#include "postern/graph/network.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::graph {
namespace {

std::size_t row_of(const Dag& dag, std::span<const std::uint32_t> sizes, std::uint32_t v,
                   std::span<const std::uint32_t> state) {
  std::size_t row = 0;
  for (const std::uint32_t p : dag.parents(v)) row = row * sizes[p] + state[p];
  return row * sizes[v];
}

[[noreturn]] void refuse_row(std::uint32_t v, std::size_t row, Piece why) {
  throw Error(ErrorCode::bad_value, {"row ", public_number(static_cast<long long>(row)),
                                     " of the table of variable ", public_number(v), why});
}

}  // namespace

std::size_t table_cells(const Dag& dag, std::span<const std::uint32_t> sizes, std::uint32_t v) {
  return static_cast<std::size_t>(cells_of(dag.parents(v), sizes)) * sizes[v];
}

std::vector<std::span<const double>> split_tables(const Dag& dag, std::span<const std::uint32_t> sizes,
                                                  std::span<const double> flat) {
  std::vector<std::span<const double>> out;
  std::size_t offset = 0;
  for (std::uint32_t v = 0; v < dag.size(); ++v) {
    const std::size_t cells = table_cells(dag, sizes, v);
    if (cells > flat.size() - offset)
      throw Error(ErrorCode::internal, {"there are fewer numbers than cells"});
    out.push_back(flat.subspan(offset, cells));
    offset += cells;
  }
  if (offset != flat.size()) throw Error(ErrorCode::internal, {"there are more numbers than cells"});
  return out;
}

std::vector<std::span<const double>> as_tables(const std::vector<std::vector<double>>& tables) {
  return {tables.begin(), tables.end()};
}

void check_tables(const Dag& dag, std::span<const std::uint32_t> sizes, Tables tables, double tolerance) {
  if (tables.size() != dag.size() || sizes.size() != dag.size())
    throw Error(ErrorCode::bad_value, {"a network needs one size and one table for each variable"});
  for (std::uint32_t v = 0; v < dag.size(); ++v) {
    if (static_cast<double>(tables[v].size()) != cells_of(dag.family(v), sizes)) {
      throw Error(ErrorCode::bad_value, {"the table of variable ", public_number(v), " has ",
                                         public_number(static_cast<long long>(tables[v].size())),
                                         " numbers, not one for each cell of its family"});
    }
    for (std::size_t row = 0; row * sizes[v] < tables[v].size(); ++row) {
      double sum = 0;
      for (const double p : tables[v].subspan(row * sizes[v], sizes[v])) {
        if (!(p >= 0)) refuse_row(v, row, " holds what is no probability");
        sum += p;
      }
      if (!(std::abs(sum - 1) <= tolerance)) refuse_row(v, row, " does not sum to 1");
    }
  }
}

void draw_record(const Dag& dag, std::span<const std::uint32_t> sizes, Tables tables,
                 std::span<std::uint32_t> state, Rng& rng) {
  for (const std::uint32_t v : dag.order()) {
    const double* row = tables[v].data() + row_of(dag, sizes, v, state);
    double left = rng.uniform();
    for (std::uint32_t level = 0; level < sizes[v]; ++level) {
      if (row[level] <= 0) continue;
      state[v] = level;
      left -= row[level];
      if (left < 0) break;
    }
  }
}

double log_probability(const Dag& dag, std::span<const std::uint32_t> sizes, Tables tables,
                       std::span<const std::uint32_t> state) {
  double log = 0;
  for (std::uint32_t v = 0; v < dag.size(); ++v) {
    const double p = tables[v][row_of(dag, sizes, v, state) + state[v]];
    if (p <= 0) return kMinusInfinity;
    log += std::log(p);
  }
  return log;
}

}  // namespace postern::graph
