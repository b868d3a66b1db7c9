#include "parameters.hpp"

#include <algorithm>

#include "postern/core/draw.hpp"

namespace postern::infer {

ParameterDraw::ParameterDraw(const NetworkTarget& target) : target_(&target) {
  std::size_t quantity = 0;
  for (const NetworkFamily& family : target.problem().families) {
    first_.push_back(quantity);
    quantity += family.alpha.size();
  }
  for (const std::uint32_t size : target.problem().sizes)
    most_levels_ = std::max<std::size_t>(most_levels_, size);
}

void ParameterDraw::draw(const TableState& state, std::span<double> out, Rng& rng,
                         std::span<double> cells) const {
  const std::vector<std::int64_t>& counts = state.counts;
  const NetworkProblem& problem = target_->problem();
  for (const NetworkTarget::Family& family : target_->families()) {
    const std::uint32_t v = target_->original(family.variable);
    if (!problem.is_column(v)) continue;
    const std::size_t levels = problem.sizes[v];
    const std::span<double> theta = out.subspan(first_[v], family.places.size());
    for (std::size_t k = 0; k < theta.size(); ++k)
      theta[k] = state.shifts[family.first_shift + family.places[k] - family.cells->offset] +
                 static_cast<double>(counts[family.places[k]]);
    for (std::size_t k = 0; k < theta.size() && !cells.empty(); ++k)
      cells[first_[v] + k] = static_cast<double>(counts[family.places[k]]);
    for (std::size_t row = 0; row < theta.size(); row += levels)
      draw_dirichlet(theta.subspan(row, levels), theta.subspan(row, levels), rng);
  }
  std::vector<std::int64_t> drawn(most_levels_);
  for (std::size_t i = 0; i < target_->leaves().size(); ++i) {
    const Leaf& leaf = target_->leaves()[i];
    const std::size_t levels = problem.sizes[leaf.variable()];
    const std::vector<double>& alpha = problem.families[leaf.variable()].alpha;
    for (std::size_t row = 0; row < leaf.rows(); ++row) {
      const std::span<double> theta = out.subspan(first_[leaf.variable()] + row * levels, levels);
      const std::span<std::int64_t> own = std::span(drawn).first(levels);
      leaf.draw(row, counts[target_->rows_of_leaf(i)[row]], own, rng);
      for (std::size_t k = 0; k < levels; ++k)
        theta[k] = alpha[row * levels + k] + static_cast<double>(own[k]);
      draw_dirichlet(theta, theta, rng);
      if (!cells.empty())
        std::copy(own.begin(), own.end(),
                  cells.begin() + static_cast<std::ptrdiff_t>(first_[leaf.variable()] + row * levels));
    }
  }
}

}  // namespace postern::infer
