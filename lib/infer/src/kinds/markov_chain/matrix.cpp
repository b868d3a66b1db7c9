#include "matrix.hpp"

#include <algorithm>

namespace postern::infer {
namespace {

constexpr double kHardlyLeft = 1e-100;  ///< a state is left with at least that probability

}  // namespace

void take_step(std::span<const double> matrix, std::span<const double> now, std::span<double> then) {
  const std::size_t states = now.size();
  std::fill(then.begin(), then.end(), 0.0);
  for (std::size_t from = 0; from < states; ++from) {
    if (now[from] == 0) continue;
    const std::span<const double> row = matrix.subspan(from * states, states);
    for (std::size_t to = 0; to < states; ++to) then[to] += now[from] * row[to];
  }
}

std::vector<double> stationary(std::vector<double> matrix, std::size_t states) {
  const auto p = [&](std::size_t from, std::size_t to) -> double& { return matrix[from * states + to]; };
  // The chain that is watched only while it is in the first states, one fewer each time.
  for (std::size_t last = states - 1; last > 0; --last) {
    double left = 0;
    for (std::size_t to = 0; to < last; ++to) left += p(last, to);
    left = std::max(left, kHardlyLeft);
    for (std::size_t from = 0; from < last; ++from) {
      p(from, last) /= left;
      for (std::size_t to = 0; to < last; ++to) p(from, to) += p(from, last) * p(last, to);
    }
  }
  std::vector<double> out(states, 1);
  double total = 1;
  for (std::size_t to = 1; to < states; ++to) {
    out[to] = 0;
    for (std::size_t from = 0; from < to; ++from) out[to] += out[from] * p(from, to);
    total += out[to];
  }
  for (double& share : out) share /= total;
  return out;
}

std::vector<double> steps_to(std::span<const double> matrix, const std::vector<bool>& goal) {
  const std::size_t states = goal.size();
  std::vector<std::size_t> others;
  for (std::size_t s = 0; s < states; ++s) {
    if (!goal[s]) others.push_back(s);
  }
  const std::size_t size = others.size();
  std::vector<double> among(size * size);  // the others alone
  std::vector<double> arrive(size, 0);     // the probability to be at the goal one step later
  std::vector<double> steps(size, 1);      // until the next move among those that are left
  const auto p = [&](std::size_t from, std::size_t to) -> double& { return among[from * size + to]; };
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) p(i, j) = matrix[others[i] * states + others[j]];
    for (std::size_t s = 0; s < states; ++s) arrive[i] += goal[s] ? matrix[others[i] * states + s] : 0;
  }
  for (std::size_t last = size; last-- > 0;) {
    double left = arrive[last];
    for (std::size_t to = 0; to < last; ++to) left += p(last, to);
    left = std::max(left, kHardlyLeft);
    for (std::size_t to = 0; to < last; ++to) p(last, to) /= left;
    arrive[last] /= left;
    steps[last] /= left;
    for (std::size_t from = 0; from < last; ++from) {
      for (std::size_t to = 0; to < last; ++to) p(from, to) += p(from, last) * p(last, to);
      arrive[from] += p(from, last) * arrive[last];
      steps[from] += p(from, last) * steps[last];
    }
  }
  std::vector<double> out(states, 0);
  for (std::size_t i = 0; i < size; ++i) {
    double mean = steps[i];
    for (std::size_t to = 0; to < i; ++to) mean += p(i, to) * out[others[to]];
    out[others[i]] = mean;
  }
  return out;
}

}  // namespace postern::infer
