#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

#include "star_tree.hpp"

namespace postern::infer {
namespace {

constexpr double kTolerance = 1e-11;  ///< of the posterior, that cuts and transforms may have misplaced
constexpr double kEdge = 2.3e-16;     ///< e^-36: what may be left at the end of a window
constexpr double kMostOperations = 3e13;

void check_forecast(const CountForecast& forecast, std::size_t memory_limit) {
  if (forecast.bytes <= static_cast<double>(memory_limit) && forecast.operations <= kMostOperations) return;
  throw Error(ErrorCode::engine_limit,
              {"the exact posterior of the network would need about ",
               public_number(std::llround(std::min(forecast.bytes, 1e18) / 1048576)), " MiB of memory and ",
               public_number(std::llround(std::min(forecast.operations, 1e18) / 1e9)),
               "e9 steps; the limit is ", public_number(static_cast<long long>(memory_limit / 1048576)),
               " MiB and 30000e9 steps. The noise is wide for so many records: raise the memory limit, or "
               "release with a larger budget"});
}

/// Twice as wide, on the sides that need it.
Window widen(Window window, bool down, bool up, std::int64_t most) {
  const auto width = static_cast<std::int64_t>(window.size());
  if (down) window.lo = std::max<std::int64_t>(0, window.lo - width);
  if (up) window.hi = std::min(most, window.hi + width);
  return window;
}

}  // namespace

double StarTree::error_of_rows(std::size_t class_index) const {
  const Message& count = laws_[class_index].count;
  double sum = 0;
  for (const std::optional<RowMessage>& row : rows_[class_index]) {
    if (!row || row->errors().empty()) continue;
    const double* error = row->errors().data() + (count.lo - row->window().lo);
    for (std::size_t i = 0; i < count.weight.size(); ++i) sum += count.weight[i] * error[i];
  }
  return sum;
}

std::optional<StarPlan> StarTree::better(const StarPlan& plan, std::int64_t most) const {
  StarPlan next = plan;
  bool good = true;
  if (!(log_evidence_ > kMinusInfinity)) {
    for (ClassPlan& one : next.classes) one.window = widen(one.window, true, true, most);
    return next;
  }
  double error = 0;
  for (std::size_t c = 0; c < laws_.size(); ++c) {
    const Message& count = laws_[c].count;
    const Window window = plan.classes[c].window;
    const bool down = window.lo > 0 && count.at(window.lo) > kEdge;
    const bool up = window.hi < most && count.at(window.hi) > kEdge;
    next.classes[c].window = widen(window, down, up, most);
    good = good && !down && !up;
    error += error_of_rows(c);
  }
  if (!(error <= kTolerance)) {
    next.nats += 20;
    next.care = Care::of_each;
    good = false;
  }
  if (good) return std::nullopt;
  return next;
}

StarTree make_star_tree(const StarView& star, StarPlan plan, std::size_t memory_limit, int threads) {
  constexpr int kMostAttempts = 12;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    check_forecast(plan.forecast(star), memory_limit);
    StarTree tree(star, plan, threads);
    std::optional<StarPlan> next = tree.better(plan, star.most());
    if (!next) return tree;
    plan = std::move(*next);
  }
  throw Error(ErrorCode::engine_limit,
              {"the exact posterior of the network lies in a valley too deep for double precision: the "
               "released tables contradict each other or n; look at the releases"});
}

}  // namespace postern::infer
