#pragma once

#include <cmath>
#include <memory>

#include "postern/core/rng.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/number_law.hpp"

namespace postern::model {

/// What a law leaves in a KeptRange at one theta.
struct KeptMass {
  enum class Way { all, middle, lower, upper, integrated };

  Theta theta{};
  Way way = Way::all;  ///< which difference of tails has digits
  Tails low;           ///< at the range's begin
  double kept = 1;     ///< P(kept), as `way` has it
  double log_kept = 0;

  /// Can any record be kept?
  [[nodiscard]] bool any() const { return log_kept > -HUGE_VAL; }
};

/// What a column that drops the numbers outside its range leaves of a law. n counts the kept records only, so
/// that a kept record has the law's density over P(kept | theta); nothing is said about how many were
/// dropped. Of a column that drops nothing: everything is kept.
class KeptRange {
 public:
  /// Throws engine_unsuitable where one side only is dropped, which no study can say.
  KeptRange(std::shared_ptr<const NumberLaw> law, const EncodedNumber& number, bool whole);

  [[nodiscard]] bool drops() const { return drops_; }
  [[nodiscard]] bool keeps(double t) const { return !drops_ || (t >= from_ && t < to_); }
  [[nodiscard]] double from() const { return from_; }
  [[nodiscard]] double to() const { return to_; }
  /// Mass and moments of t given that it is kept. @pre drops
  [[nodiscard]] SegmentMoments moments(const Theta& theta) const;
  /// P(kept | theta), relatively accurate also for laws far from the range or much wider than it.
  [[nodiscard]] KeptMass mass(const Theta& theta) const;
  [[nodiscard]] double log_kept(const Theta& theta) const { return mass(theta).log_kept; }
  /// The kept t that a share u of the kept mass lies below, 0 <= u < 1. For laws that keep little; otherwise
  /// drawing until something is kept is quicker. @pre drops; any record can be kept
  [[nodiscard]] double quantile(const KeptMass& mass, double u) const;
  /// A kept t. `any` draws a t of the law at mass.theta, kept or not: it is asked again and again or, where
  /// little is kept, not at all. @pre any record can be kept
  template <class DrawAny>
  [[nodiscard]] double draw(const KeptMass& mass, Rng& rng, const DrawAny& any) const {
    if (mass.kept < kLittleKept) return quantile(mass, rng.uniform());
    for (;;) {
      const double t = any(rng);
      if (keeps(t)) return t;
    }
  }

 private:
  static constexpr double kLittleKept = 0.1;  ///< a draw of most laws is 10 ns, a quantile a microsecond

  [[nodiscard]] double share_below(const KeptMass& mass, double t) const;
  [[nodiscard]] double whole_quantile(const KeptMass& mass, double u) const;

  std::shared_ptr<const NumberLaw> law_;
  bool drops_ = false;
  bool whole_ = false;
  double from_, to_;  ///< from_ <= t < to_ is kept
};

}  // namespace postern::model
