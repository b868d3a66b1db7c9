#include "log_linear_run.hpp"

#include <algorithm>
#include <cmath>

#include "power_series.hpp"

namespace postern::infer {
namespace {

/// Numbers of records: those up to one, or those from one on.
enum class End { low, high };

/// By Markov's inequality with a tilt t beyond the line's own, P(S beyond a) <= e^{n (K(b + t) - K(b)) - t
/// a}: for each t a bound on the n at which a sum of records stays on one side of a but for e^-nats.
class Crossing {
 public:
  Crossing(const RecordNodes& nodes, const TiltedRecord& tilted, double a, bool below, double nats)
      : nodes_(nodes), tilted_(tilted), a_(a), below_(below), nats_(nats) {}

  /// The largest n up to which all are clear, -1 for none; or the smallest from which on all are.
  [[nodiscard]] double clear(End end, double most) {
    const double furthest = below_ ? nodes_.at.back() : nodes_.at.front();
    const bool ahead = below_ ? a_ >= 0 : a_ <= 0;
    if (ahead && (below_ ? furthest <= 0 : furthest >= 0)) return end == End::low ? most : 0;
    // No sum goes further than its records.
    double best = end == End::high ? HUGE_VAL : ahead ? std::floor(a_ / furthest) : -1;
    if (end == End::high && (below_ ? furthest < 0 : furthest > 0)) best = std::ceil(a_ / furthest);
    if (!(tilted_.variance > 0)) return best;
    const auto better = [&](double t) {
      const double here = clear_by(t, end, most);
      const bool is = end == End::low ? here > best : here < best;
      if (is) best = here;
      return is;
    };
    const double first = start(most);
    bool found = better(first);
    const bool at_once = found;
    for (double t = 0.6 * first; t > 1e-3 * first; t *= 0.6) {
      const bool is = better(t);
      if (found && !is) break;
      found = found || is;
    }
    if (at_once) better(1.5 * first);
    return best;
  }

 private:
  /// A normal sum's best tilt, or one at which a record that is all but certain is so still.
  [[nodiscard]] double start(double most) const {
    const double reached = tilted_.mean == 0 ? most : std::abs(a_ / tilted_.mean);
    const double n = std::clamp(reached, 1.0, std::max(most, 1.0));
    const double gap = (nodes_.at.back() - nodes_.at.front()) / static_cast<double>(nodes_.at.size() - 1);
    double weight = 0;
    for (const double w : tilted_.weight) weight = std::max(weight, w);
    const double steady = weight > 0.9 ? std::min(nats_, -std::log1p(-weight)) / gap : HUGE_VAL;
    return std::min(std::sqrt(2 * nats_ / (n * tilted_.variance)), steady);
  }

  [[nodiscard]] double clear_by(double size, End end, double most) {
    const double t = below_ ? size : -size;
    tilt_record(nodes_, tilted_.lambda + t, more_);
    const double rise = more_.cumulant() - tilted_.cumulant();
    const double room = t * a_ - nats_;  // n rise <= room is enough
    if (rise <= 0 && room >= 0) return end == End::low ? most : 0;
    if (end == End::low) return rise > 0 ? std::floor(room / rise) : -1;
    return rise < 0 ? std::ceil(room / rise) : HUGE_VAL;
  }

  const RecordNodes& nodes_;
  const TiltedRecord& tilted_;
  double a_;
  bool below_;  ///< the sums are
  double nats_;
  TiltedRecord more_;
};

/// log w between two kinks, or past the last, and the numbers at one end of 0..most that stay there.
struct Side {
  LogLinearRun::Line line;
  TiltedRecord tilted;
  double clear = 0;
};

/// @param place where log w is that line: just above if sums rise, else just below
Side side_of(const RecordNodes& nodes, const SumNoise& noise, double place, bool rises, End end, double most,
             double nats) {
  Side out;
  const auto [left, right] = noise.slopes(place);
  out.line = {rises ? right : left, place, noise.log_at(place)};
  tilt_record(nodes, out.line.slope, out.tilted);
  out.clear = end == End::low ? most : 0;
  for (const SumNoise::Kink& kink : noise.kinks) {
    const bool below = kink.at > place || (kink.at == place && !rises);
    const double one = Crossing(nodes, out.tilted, kink.at, below, nats).clear(end, most);
    out.clear = end == End::low ? std::min(out.clear, one) : std::max(out.clear, one);
  }
  return out;
}

}  // namespace

LogLinearRun::LogLinearRun(const CountWeight& weight, const TiltedRecord& tilted, const Line& line, double lo,
                           double hi)
    : weight_(weight), line_(line), log_mass_(tilted.log_mass), mean_(tilted.mean), lo_(lo), hi_(hi) {
  const TiltedNoise numbers(weight.noise(), -(tilted.cumulant() + weight.slope()), lo, lo, hi);
  const double sum = PowerSeries(numbers).sum({0, 0, 0, lo}).real();
  log_sum_ = log_at(numbers.peak) + std::log(sum);
}

double LogLinearRun::log_at(double n) const {
  return weight_.log_at(n) + line_.log_at + n * log_mass_ + line_.slope * (n * mean_ - line_.at);
}

void LogLinearRun::log_terms(double from, double step, std::span<double> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = log_at(from + step * static_cast<double>(i));
}

std::vector<LogLinearRun> log_linear_runs(const RecordNodes& nodes, const CountWeight& weight,
                                          const SumNoise& noise, double nats) {
  std::vector<LogLinearRun> out;
  if (noise.precision > 0) return out;
  const auto most = static_cast<double>(weight.most());
  double rise = 0;
  for (std::size_t r = 0; r < nodes.at.size(); ++r) rise += nodes.mass[r] * nodes.at[r];
  const Side low = side_of(nodes, noise, 0, rise > 0, End::low, most, nats);
  if (low.clear >= 0) out.emplace_back(weight, low.tilted, low.line, 0, low.clear);
  if (low.clear >= most) return out;
  const Side high = side_of(nodes, noise, most * rise, rise > 0, End::high, most, nats);
  const double from = std::max(high.clear, low.clear + 1);
  if (from <= most) out.emplace_back(weight, high.tilted, high.line, from, most);
  return out;
}

}  // namespace postern::infer
