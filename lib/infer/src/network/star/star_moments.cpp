#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"

#include "row_shares.hpp"
#include "star_parts.hpp"

namespace postern::infer {

std::size_t StarPosterior::Parts::cell_of(std::size_t leaf, std::size_t class_index,
                                          std::size_t level) const {
  const std::uint32_t variable = star.leaves[leaf];
  return first_cell[variable] + class_index * problem.sizes[variable] + level;
}

const std::vector<StarPosterior::Parts::Moments>& StarPosterior::Parts::moments() const {
  std::call_once(made_, [this] { sum_shares(); });
  return moments_;
}

std::span<const double> StarPosterior::Parts::log_share(std::size_t leaf, std::size_t class_index,
                                                        std::size_t level) const {
  std::call_once(made_, [this] { sum_shares(); });
  return log_shares_[cell_of(leaf, class_index, level)];
}

/// theta of the root, then all rows of the leaves.
void StarPosterior::Parts::sum_shares() const {
  double bytes = 0;
  for (std::size_t c = 0; c < star.classes(); ++c) {
    for (std::size_t leaf = 0; leaf < star.leaves.size(); ++leaf)
      bytes += 8.0 * static_cast<double>(tree.law(c).share.size()) * problem.sizes[star.leaves[leaf]];
  }
  if (bytes > static_cast<double>(memory_limit)) {
    throw Error(ErrorCode::engine_limit,
                {"exact means and predictions of the network would need about ",
                 public_number(std::llround(bytes / 1048576)), " MiB of memory; raise the memory limit"});
  }
  moments_.resize(first_cell.back());
  log_shares_.resize(first_cell.back());
  for (std::size_t c = 0; c < star.classes(); ++c) {
    const ClassLaw& law = tree.law(c);
    const double mean = std::accumulate(law.share.begin(), law.share.end(), 0.0);
    const double square = std::accumulate(law.square.begin(), law.square.end(), 0.0);
    moments_[first_cell[star.root] + c] = {mean, std::sqrt(std::max(square - mean * mean, 0.0))};
  }
  const std::size_t leaves = star.leaves.size();
  parallel_for(star.classes() * leaves, threads, [&](std::size_t i) { sum_row(i % leaves, i / leaves); });
}

void StarPosterior::Parts::sum_row(std::size_t leaf, std::size_t class_index) const {
  const CptRow row = star.row(leaf, class_index);
  const RowMessage* message = tree.row(leaf, class_index);
  if (message == nullptr) {
    const double alpha0 = sum_of_alpha(row);
    for (std::size_t k = 0; k < row.alpha.size(); ++k) {
      const double mean = row.alpha[k] / alpha0;
      moments_[cell_of(leaf, class_index, k)] = {mean, std::sqrt(mean * (1 - mean) / (alpha0 + 1))};
    }
    return;
  }
  const Message& count = tree.law(class_index).count;
  const RowShares shares = row_shares(*message, row.alpha, count.window());
  for (std::size_t k = 0; k < row.alpha.size(); ++k) {
    double mean = 0;
    for (std::size_t i = 0; i < count.weight.size(); ++i) mean += count.weight[i] * shares.first[k][i];
    // Var = E[Var given N] + Var of the mean given N, both sums of small squares.
    double variance = 0;
    for (std::size_t i = 0; i < count.weight.size(); ++i) {
      const double first = shares.first[k][i];
      variance += count.weight[i] *
                  (std::max(shares.second[k][i] - first * first, 0.0) + (first - mean) * (first - mean));
    }
    const std::size_t cell = cell_of(leaf, class_index, k);
    moments_[cell] = {mean, std::sqrt(variance)};
    std::vector<double>& logs = log_shares_[cell];
    logs.resize(count.weight.size());
    std::transform(shares.first[k].begin(), shares.first[k].end(), logs.begin(),
                   [](double x) { return std::log(x); });
  }
}

}  // namespace postern::infer
