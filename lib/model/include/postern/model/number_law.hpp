#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "postern/core/rng.hpp"
#include "postern/core/truncated.hpp"

namespace postern::model {

/// The parameters of a family of numbers: one, or two (mean, variance).
using Theta = std::array<double, 2>;
/// The numbers of its conjugate prior, in the order of NumberFamily::prior_numbers; of a learned prior, what
/// records have added to it.
using Hyper = std::array<double, 5>;

/// What n records add up to. `squares` only where a family sums t^2 as well.
struct Sums {
  double n = 0;
  double t = 0;
  double squares = 0;
};

/// P(t < x) and P(t >= x), each relatively accurate where it is small.
struct Tails {
  double below = 0;
  double above = 1;
};

struct TwoMoments {
  double mean = 0;
  double variance = 0;
};

/// Where a parameter lives, so that a grid can be laid over it.
enum class ParameterSpace { real, positive, unit };

/// The law of t, one record's statistic, given theta, and the prior that is conjugate to it. t is the number
/// itself, its logarithm or a power of it: the column's Transform says which. Immutable; safe to share.
/// @pre theta lies in its space; the numbers of a prior are those that its family accepts.
class NumberLaw {
 public:
  NumberLaw() = default;
  NumberLaw(const NumberLaw&) = delete;
  NumberLaw& operator=(const NumberLaw&) = delete;
  virtual ~NumberLaw() = default;

  [[nodiscard]] virtual ParameterSpace space(std::size_t parameter) const = 0;

  // One record.
  [[nodiscard]] virtual Tails tails(const Theta& theta, double t) const = 0;
  [[nodiscard]] virtual TwoMoments moments(const Theta& theta) const = 0;
  [[nodiscard]] virtual SegmentMoments segment(const Theta& theta, Segment t) const = 0;
  [[nodiscard]] virtual double draw(const Theta& theta, Rng& rng) const = 0;

  // n records: theta ~ prior, t_1 .. t_n ~ law(theta).
  /// Could n records add up to this?
  [[nodiscard]] virtual bool possible(const Sums& sums) const = 0;
  /// The prior's numbers after seeing the sums. @pre possible(sums)
  [[nodiscard]] virtual Hyper update(const Hyper& prior, const Sums& sums) const = 0;
  [[nodiscard]] virtual Theta draw_theta(const Hyper& prior, Rng& rng) const = 0;
  /// Log density of theta, normalised.
  [[nodiscard]] virtual double log_prior(const Hyper& prior, const Theta& theta) const = 0;
  /// Log density of z: the only parameter itself, its logarithm or its log odds, as its space is. Right also
  /// where theta, as a double, is an end of its space. @pre one parameter
  [[nodiscard]] virtual double log_prior_on_line(const Hyper& prior, double z) const {
    return log_prior(prior, {z, 0});
  }
  /// Log density of records that add up to `sums`, theta integrated out, but for what is the same for every
  /// prior. @pre possible(sums)
  [[nodiscard]] virtual double log_evidence(const Hyper& prior, const Sums& sums) const = 0;
  /// The smallest shape of the prior of a rate or a probability, below which its mass is in heaps at the ends
  /// of the space; infinity where there are no shapes.
  [[nodiscard]] virtual double least_shape(const Hyper& /*prior*/) const { return HUGE_VAL; }
};

/// Of a law of (t, t^2): the moments of both on a segment.
class SquaresLaw : public NumberLaw {
 public:
  [[nodiscard]] virtual NormalSegmentMoments square_segment(const Theta& theta, Segment t) const = 0;
  /// The prior of t in other units: of (t - zero) / unit.
  [[nodiscard]] virtual Hyper in_units(const Hyper& prior, double zero, double unit) const = 0;
};

}  // namespace postern::model
