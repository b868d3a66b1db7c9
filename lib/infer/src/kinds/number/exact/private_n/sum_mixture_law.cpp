// The law of n that goes with a mixture.

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

#include "sum_mixture.hpp"

namespace postern::infer {
namespace {

constexpr double kMostRuns = 512;  ///< of a table
constexpr double kCoarse = 32;     ///< steps in which a block is searched for the mode of n

}  // namespace

double SumMixture::log_at(double n) const {
  for (const LogLinearRun& run : log_linear_) {
    if (n >= run.lo() && n <= run.hi()) return run.log_at(n);
  }
  for (const MixtureBlock& block : blocks_) {
    if (!(n >= block.lo() && n <= block.hi())) continue;
    double value = 0;
    block.log_terms(n, 1, {&value, 1});
    return value;
  }
  return kMinusInfinity;
}

/// Where the law of n ends on one side of its mode.
double SumMixture::law_end(double mode, double end) const {
  const double least = log_at(mode) - nats_;
  double inside = mode;
  double outside = end;
  while (std::abs(outside - inside) > 1) {
    const double middle = std::floor(0.5 * (inside + outside));
    (log_at(middle) >= least ? inside : outside) = middle;
  }
  return outside;
}

/// The n that are looked at: all, or where the law of n is if those were too many.
SumMixture::Window SumMixture::window() const {
  Window out{HUGE_VAL, 0};
  std::vector<double> places{near_, std::round(bounds_.front().peak / tilted_.mean)};
  const auto look = [&](double lo, double hi, double steps) {
    out = {std::min(out.lo, lo), std::max(out.hi, hi)};
    for (double k = 0; k <= steps; ++k) places.push_back(std::round(lo + (hi - lo) * k / steps));
  };
  for (const MixtureBlock& block : blocks_) look(block.lo(), block.hi(), kCoarse);
  for (const LogLinearRun& run : log_linear_) {
    look(run.lo(), run.hi(), 1);
    for (const auto& kink : weight_.noise().kinks) places.push_back(std::round(kink.at));
  }
  if (numbers_in(out) <= kMostRuns) return out;
  double mode = near_;
  double top = kMinusInfinity;
  for (const double n : places) {
    const double here = log_at(n);
    if (here > top) mode = n;
    top = std::max(top, here);
  }
  return {law_end(mode, out.lo), law_end(mode, out.hi)};
}

/// Numbers of a window that are not listed.
double SumMixture::numbers_in(const Window& window) const {
  double numbers = 0;
  const auto add = [&](const auto& some) { numbers += within(window, some).numbers(); };
  for (const LogLinearRun& run : log_linear_) add(run);
  for (const MixtureBlock& block : blocks_) add(block);
  return numbers;
}

/// Runs of as many numbers each as keeps them few, seen from their middle: one number each unless n is
/// spread over many more of them.
TotalTable SumMixture::table() const {
  const Window all = window();
  const double most = std::max(std::ceil(numbers_in(all) / kMostRuns), 1.0);
  std::vector<TotalTable::Run> runs;
  std::vector<double> log_terms;
  const auto add_some = [&](const auto& some, double lo, double width, double count) {
    log_terms.resize(static_cast<std::size_t>(count));
    some.log_terms(lo + 0.5 * (width - 1), width, log_terms);
    for (const double term : log_terms) {
      runs.push_back({lo - 0.5, lo - 0.5 + width, term + std::log(width)});
      lo += width;
    }
  };
  const auto add = [&](const auto& some) {
    const Window part = within(all, some);
    const double count = std::floor(part.numbers() / most);
    const double rest = part.numbers() - count * most;
    if (count > 0) add_some(some, part.lo, most, count);
    if (rest > 0) add_some(some, part.hi - rest + 1, rest, 1);
  };
  for (const LogLinearRun& run : log_linear_) add(run);
  for (const MixtureBlock& block : blocks_) add(block);
  for (const Listed& one : listed_) runs.push_back({one.n - 0.5, one.n + 0.5, one.log_value});
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.lo < b.lo; });
  return TotalTable(std::move(runs));
}

}  // namespace postern::infer
