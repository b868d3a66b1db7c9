#pragma once

#include <algorithm>
#include <list>
#include <vector>

#include "kinds/number/exact/accuracy_goal.hpp"
#include "kinds/number/exact/sum/sum_likelihood.hpp"
#include "log_linear_run.hpp"
#include "mixture_block.hpp"
#include "total_table.hpp"

namespace postern::infer {

/// sum over n of p(n) p(counts | n) p(sums | theta, n) at one theta, by blocks of n from the one that says
/// most outwards, until the rest is provably negligible: log p(n) p(counts | n) max g is concave in n, with
/// any tilt of g. Few records, which no block of frequencies can do, are listed.
class SumMixture {
 public:
  SumMixture(const NumberProblem& problem, const CountWeight& weight, SumLikelihood& sums,
             const AccuracyGoal& goal);

  /// False where n shifts the noise, and where the work or the rounding would be too much.
  [[nodiscard]] bool usable() const { return usable_; }
  [[nodiscard]] double log_sum() const { return log_sum_; }
  /// The sum is known to e^-nats.
  [[nodiscard]] double nats() const { return nats_; }
  /// The law of n.
  [[nodiscard]] TotalTable table() const;
  /// The largest of the logarithms whose balance says where n is: rounding is 1e-16 of that.
  [[nodiscard]] double weighed() const;

 private:
  struct Listed {
    double n = 0;
    double log_value = 0;
  };
  struct Window {
    double lo = 0;
    double hi = 0;
    [[nodiscard]] double numbers() const { return std::max(hi - lo + 1, 0.0); }
  };
  void add_all(Window likely, const Window& open, double top);
  void add_around(const Window& window);
  void add_down(double hi, double first);
  void add_up(double lo, double last);
  /// E w(S) <= e^{n K(lambda)} max over s of w(s) e^{-lambda s}
  struct Bound {
    double lambda = 0;
    double cumulant = 0;
    double peak = 0;  ///< of w(s) e^{-lambda s}
  };
  [[nodiscard]] double log_bound(double n, const Bound& bound) const;
  [[nodiscard]] double log_bound(double n) const;
  void make_bounds(double most);
  [[nodiscard]] double highest_bound(double most) const;
  [[nodiscard]] double end_of(double inside, double end, double least) const;
  void add(double lo, double hi);
  bool add_lattice(double lo, double hi, double near, double nats);
  void add_numbers(double lo, double hi);
  void count(double log_sum, double log_sizes);
  [[nodiscard]] bool negligible(double n, double numbers) const;
  [[nodiscard]] double log_at(double n) const;
  [[nodiscard]] double law_end(double mode, double end) const;
  [[nodiscard]] Window window() const;
  [[nodiscard]] static Window within(const Window& all, const auto& some) {
    return {std::max(all.lo, some.lo()), std::min(all.hi, some.hi())};
  }
  [[nodiscard]] double numbers_in(const Window& window) const;

  const CountWeight& weight_;
  SumLikelihood& sums_;
  RecordNodes nodes_;
  SumNoise noise_;
  TiltedRecord tilted_;
  std::vector<Bound> bounds_;  ///< the first with the tilt
  double near_ = 0;            ///< the n that says most
  std::vector<LogLinearRun> log_linear_;
  std::list<MixtureBlock> blocks_;
  std::list<Listed> listed_;
  bool usable_ = true;
  double nats_ = AccuracyGoal::kBest;
  double log_sum_ = 0;
  double log_sizes_ = 0;
};

}  // namespace postern::infer
