#include "direct_sum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

constexpr double kMostProducts = 2e5;  ///< at one concentration; transforms are cheaper above
constexpr double kWidestNats = 120;    ///< by which a row's prior may fall within the sums
constexpr double kLeast = 1e-150;      ///< weights below are 0: products of two stay normal numbers

/// What each child may hold where the row's sum is one of those that are kept. None: no sum is possible.
std::vector<Window> windows_of(const RowProblem& problem) {
  std::vector<Window> out;
  Window reach{0, 0};
  for (const SeenCount* child : problem.children) {
    out.push_back(child->message.window());
    if (out.back().empty()) return {};
    reach = {reach.lo + out.back().lo, reach.hi + out.back().hi};
  }
  for (Window& one : out) {
    const Window others{reach.lo - one.lo, reach.hi - one.hi};
    const Window mine = intersect(one, {problem.sums.lo - others.hi, problem.sums.hi - others.lo});
    if (mine.empty()) return {};
    one = mine;
  }
  return out;
}

double known_of(const RowProblem& problem) {
  return std::accumulate(problem.known.begin(), problem.known.end(), 0.0);
}

/// The sum about which the prior is tilted: a Poisson law of this mean falls as far at both ends of lo..hi
/// where lo is 0.
double target_of(const RowProblem& problem) {
  const auto lo = static_cast<double>(std::max<std::int64_t>(problem.sums.lo, 0));
  return lo + std::max((static_cast<double>(problem.sums.hi) - lo) / std::numbers::e, 0.5);
}

}  // namespace

bool DirectSum::takes(const RowProblem& problem) {
  const std::vector<Window> windows = windows_of(problem);
  if (windows.empty() || problem.grid.empty()) return false;
  double products = 0;
  double sums = static_cast<double>(windows.front().size());
  const auto kept = static_cast<double>(problem.sums.hi - windows.front().lo + 1);
  for (std::size_t v = 1; v < windows.size(); ++v) {
    const auto mine = static_cast<double>(windows[v].size());
    products += sums * mine;
    sums = std::min(sums + mine, std::max(kept, mine));
  }
  if (products > kMostProducts) return false;
  // The largest concentration has the narrowest prior.
  const double total = *std::max_element(problem.grid.begin(), problem.grid.end()) + known_of(problem);
  const double target = target_of(problem);
  const double tilt = std::log(target / (target + total));
  const auto log_prior = [&](double sum) { return log_rising_term(sum, total) + tilt * sum; };
  const double top = log_prior(std::floor(target));
  return std::min(log_prior(static_cast<double>(std::max<std::int64_t>(problem.sums.lo, 0))),
                  log_prior(static_cast<double>(problem.sums.hi))) > top - kWidestNats;
}

DirectSum::DirectSum(const RowProblem& problem, double concentration) {
  const double target = target_of(problem);
  const std::vector<Window> windows = windows_of(problem);
  const double known = known_of(problem);
  const double total = concentration + known;
  const double growth = target / (target + total);
  if (known > 0) log_scale_ -= log_rising(concentration, known);
  for (std::size_t v = 0; v < windows.size(); ++v) {
    const double own = concentration * problem.centre[v];
    const double exact = problem.known.empty() ? 0 : problem.known[v];
    if (exact > 0) log_scale_ += log_rising(own, exact);
    add_leaf(problem, v, windows[v], own + exact, growth);
  }
  std::int64_t rest = 0;  // that the children after these hold at least
  for (const Window& one : windows) rest += one.lo;
  rest -= windows.front().lo;
  Part sum = leaves_.front();
  for (std::size_t v = 1; v < windows.size(); ++v) {
    sums_.push_back(sum);
    rest -= windows[v].lo;
    const bool last = v + 1 == windows.size();
    const Window reach{sum.window.lo + windows[v].lo, sum.window.hi + windows[v].hi};
    sum = add_up(sum, leaves_[v],
                 intersect(reach, {last ? problem.sums.lo : reach.lo, problem.sums.hi - rest}));
  }
  finish(sum, total, growth);
  find_cramped(problem, sum);
}

DirectSum::Part DirectSum::part_of(Window window) {
  const Part out{window, weights_.size()};
  weights_.resize(weights_.size() + window.size());
  return out;
}

/// Weights relative to the mode of the prior.
void DirectSum::add_leaf(const RowProblem& problem, std::size_t child, Window window, double shape,
                         double growth) {
  const SeenCount& seen = *problem.children[child];
  const Part part = part_of(window);
  leaves_.push_back(part);
  const double mode = std::floor((shape - 1) * growth / (1 - growth));
  const auto from = static_cast<std::int64_t>(
      std::clamp(mode, static_cast<double>(window.lo), static_cast<double>(window.hi)));
  const auto start = static_cast<double>(from);
  log_scale_ += seen.log_scale + log_rising_term(start, shape) + start * std::log(growth);
  const auto put = [&](std::int64_t s, double prior) {
    const double weight = prior * seen.message.weight[static_cast<std::size_t>(s - seen.message.lo)];
    weights_[part.first + static_cast<std::size_t>(s - window.lo)] = weight > kLeast ? weight : 0;
  };
  double prior = 1;
  for (std::int64_t s = from;;) {
    put(s, prior);
    if (++s > window.hi || prior < kLeast) break;
    const auto x = static_cast<double>(s);
    prior *= growth * (x - 1 + shape) / x;
  }
  prior = 1;
  for (std::int64_t s = from; s > window.lo && prior > kLeast;) {
    const auto x = static_cast<double>(s);
    prior *= x / ((x - 1 + shape) * growth);
    put(--s, prior);
  }
  work_ += 30 * static_cast<double>(window.size());
}

DirectSum::Part DirectSum::add_up(const Part& a, const Part& b, Window keep) {
  const Part out = part_of(keep);
  const double* const second = weights_.data() + b.first;
  for (std::int64_t s = a.window.lo; s <= a.window.hi; ++s) {
    const double weight = at(a, s);
    const Window to = intersect(keep, {s + b.window.lo, s + b.window.hi});
    if (!(weight > 0) || to.empty()) continue;
    double* const into = weights_.data() + out.first + (to.lo - keep.lo);
    const double* const from = second + (to.lo - s - b.window.lo);
    const auto size = static_cast<std::ptrdiff_t>(to.size());
    for (std::ptrdiff_t i = 0; i < size; ++i) into[i] += weight * from[i];
    work_ += static_cast<double>(size);
  }
  return out;
}

/// Divides by the prior of the sum, Gamma(N + A) / (Gamma(A) N!) growth^N.
void DirectSum::finish(const Part& sum, double total, double growth) {
  const auto begin = weights_.begin() + static_cast<std::ptrdiff_t>(sum.first);
  const auto end = begin + static_cast<std::ptrdiff_t>(sum.window.size());
  const auto top = begin == end ? end : std::max_element(begin, end);
  if (top == end || !(*top > 0)) return;
  message_ = {sum.window.lo, std::vector<double>(begin, end)};
  const std::int64_t middle = sum.window.lo + (top - begin);
  const auto weight = [&](std::int64_t s) -> double& {
    return message_.weight[static_cast<std::size_t>(s - sum.window.lo)];
  };
  double factor = 1;
  for (std::int64_t s = middle + 1; s <= sum.window.hi; ++s) {
    const auto x = static_cast<double>(s);
    weight(s) *= factor *= x / ((x - 1 + total) * growth);
  }
  factor = 1;
  for (std::int64_t s = middle; s-- > sum.window.lo;) {
    const auto x = static_cast<double>(s);
    weight(s) *= factor *= (x + total) * growth / (x + 1);
  }
  const double largest = *std::max_element(message_.weight.begin(), message_.weight.end());
  for (double& x : message_.weight) x /= largest;
  const auto at = static_cast<double>(middle);
  log_scale_ += std::log(largest) - log_rising_term(at, total) - at * std::log(growth);
  constexpr double kRow = 2000;  // logarithms and memory, in products
  work_ += kRow + 30 * static_cast<double>(sum.window.size());
}

/// The largest weight of a sum with the child at its end, relative to the largest of all; of more than two
/// children, the child's own weight there.
double DirectSum::share_at(std::size_t child, std::int64_t end, const Part& sum) const {
  const Part& mine = leaves_[child];
  const double weight = at(mine, end);
  if (!(weight > 0)) return 0;
  if (leaves_.size() != 2) {
    double most = 0;
    for (std::int64_t s = mine.window.lo; s <= mine.window.hi; ++s) most = std::max(most, at(mine, s));
    return weight / most;
  }
  const Part& other = leaves_[1 - child];
  const Window to = intersect(sum.window, {end + other.window.lo, end + other.window.hi});
  double most = 0;
  for (std::int64_t s = to.lo; s <= to.hi; ++s) {
    const double whole = at(sum, s);
    if (whole > 0) most = std::max(most, weight * at(other, s - end) / whole * message_.at(s));
  }
  return most;
}

void DirectSum::find_cramped(const RowProblem& problem, const Part& sum) {
  if (message_.weight.empty()) return;
  for (std::size_t v = 0; v < leaves_.size(); ++v) {
    const SeenCount& seen = *problem.children[v];
    const Window mine = leaves_[v].window;
    const Window whole = seen.message.window();
    const double low = seen.cut_low && mine.lo == whole.lo ? share_at(v, mine.lo, sum) : 0;
    const double high = seen.cut_high && mine.hi == whole.hi ? share_at(v, mine.hi, sum) : 0;
    if (std::max(low, high) > seen.tolerance) cramped_.push_back({v, low, high, seen.tolerance});
  }
}

/// The last child first, each given what is left of the sum.
void DirectSum::share_out(std::int64_t sum, std::span<std::int64_t> counts, Rng& rng) const {
  thread_local std::vector<double> upto;
  std::int64_t left = sum;
  for (std::size_t v = leaves_.size(); v-- > 1;) {
    const Part& mine = leaves_[v];
    const Part& before = sums_[v - 1];
    const Window able = intersect(mine.window, {left - before.window.hi, left - before.window.lo});
    const double* const own = weights_.data() + mine.first + (able.lo - mine.window.lo);
    const double* const others = weights_.data() + before.first + (left - able.lo - before.window.lo);
    upto.resize(able.size());
    double whole = 0;
    for (std::size_t i = 0; i < upto.size(); ++i)
      upto[i] = whole += own[i] * *(others - static_cast<std::ptrdiff_t>(i));
    const double at = rng.uniform() * whole;
    const auto place = std::upper_bound(upto.begin(), upto.end() - 1, at) - upto.begin();
    counts[v] = able.lo + place;
    left -= counts[v];
  }
  counts.front() = left;
}

}  // namespace postern::infer
