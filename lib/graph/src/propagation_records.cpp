#include <algorithm>
#include <numeric>

#include "postern/core/draw.hpp"
#include "postern/graph/propagation.hpp"

namespace postern::graph {
namespace {

/// Cells of one row of a clique for the records of one group, in a random order.
class RowDraw {
 public:
  /// `weights` need not sum to 1.
  void prepare(std::span<const double> weights) {
    cumulative_.resize(weights.size());
    std::partial_sum(weights.begin(), weights.end(), cumulative_.begin());
    // What rounding leaves beyond the last positive weight is its own.
    last_ = static_cast<std::uint32_t>(
        weights.rend() - std::find_if(weights.rbegin(), weights.rend(), [](double w) { return w > 0; }));
    last_ -= last_ > 0 ? 1 : 0;
  }

  void independent(std::span<std::uint32_t> out, Rng& rng) const {
    for (std::uint32_t& cell : out) {
      const auto at = std::ranges::upper_bound(cumulative_, rng.uniform() * cumulative_.back());
      cell = std::min(static_cast<std::uint32_t>(at - cumulative_.begin()), last_);
    }
  }

  /// Points at equal distances from a random start, then shuffled.
  void rounded(std::span<std::uint32_t> out, Rng& rng) const {
    const double pitch = cumulative_.back() / static_cast<double>(out.size());
    const double start = rng.uniform();
    std::uint32_t cell = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double at = (static_cast<double>(i) + start) * pitch;
      while (cell < last_ && cumulative_[cell] <= at) ++cell;
      out[i] = cell;
    }
    for (std::size_t i = out.size(); i > 1; --i) std::swap(out[i - 1], out[draw_below(i, rng)]);
  }

 private:
  std::vector<double> cumulative_;
  std::uint32_t last_ = 0;  ///< of positive weight
};

}  // namespace

void Propagation::draw_columns(std::size_t c, const Workspace& work, Sampling sampling,
                               std::vector<std::vector<std::uint32_t>>& columns, Rng& rng) const {
  const Clique& clique = cliques_[c];
  const std::size_t count = columns.front().size();
  std::vector<std::uint32_t> row(count);
  for (const std::uint32_t v : tree_.separator(c)) {
    const std::uint32_t size = tree_.sizes()[v];
    for (std::size_t i = 0; i < count; ++i) row[i] = row[i] * size + columns[v][i];
  }
  std::vector<std::size_t> next(clique.rows + 1);  // where the cells of a group begin
  for (const std::uint32_t r : row) ++next[r + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> cells(count);
  RowDraw draw;
  for (std::size_t r = 0; r < clique.rows; ++r) {
    const std::span<std::uint32_t> group = std::span(cells).subspan(next[r], next[r + 1] - next[r]);
    if (group.empty()) continue;
    draw.prepare(std::span(work.cells).subspan(clique.offset + r * clique.columns, clique.columns));
    if (sampling == Sampling::rounded) {
      draw.rounded(group, rng);
    } else {
      draw.independent(group, rng);
    }
  }
  for (std::uint32_t& r : row) r = cells[next[r]++];
  const Variables& variables = clique.variables;
  for (std::size_t i = variables.size(); i-- > tree_.separator(c).size();) {
    const std::uint32_t size = tree_.sizes()[variables[i]];
    std::vector<std::uint32_t>& column = columns[variables[i]];
    if (i == tree_.separator(c).size()) {
      column = std::move(row);
      break;
    }
    for (std::size_t k = 0; k < count; ++k) {
      column[k] = row[k] % size;
      row[k] /= size;
    }
  }
}

std::vector<std::vector<std::uint32_t>> Propagation::draw_records(const Workspace& work, std::size_t count,
                                                                  Sampling sampling, Rng& rng) const {
  std::vector<std::vector<std::uint32_t>> columns(tree_.sizes().size(), std::vector<std::uint32_t>(count));
  if (columns.empty()) return columns;
  for (std::size_t c = 0; c < tree_.size(); ++c) draw_columns(c, work, sampling, columns, rng);
  return columns;
}

}  // namespace postern::graph
