#pragma once

#include <cstddef>
#include <vector>

#include "postern/model/encoded_number.hpp"
#include "postern/model/number_law.hpp"

namespace postern::infer {

/// Mean and central moments of k, what one record adds to a sum.
struct LevelMoments {
  double mean = 0;
  double variance = 0;
  double third = 0;
  double fourth = 0;
};

/// The moments of k given theta: levels, rounding and the treatment of numbers outside the column as they
/// are, no smoothness assumed where levels are coarse. Runs of levels that are fine against the law's
/// deviation are summed by a rule that is exact for polynomials of degree 5, so that a million levels cost as
/// much as a thousand. Accuracy: about 1e-10 deviations; 1e-6 where t is rounded to a unit. Where the column
/// drops records: given that the record is kept.
class LevelMomentSum {
 public:
  /// Both must outlive this.
  LevelMomentSum(const model::NumberLaw& law, const model::EncodedNumber& number);

  /// Edges first, first + 1 .. first + 4 quarter, summed together; quarter = 0: one edge.
  struct Run {
    std::size_t first = 0;
    std::size_t quarter = 0;
    [[nodiscard]] std::size_t last() const { return first + 4 * quarter; }
  };
  using Runs = std::vector<Run>;
  /// Of the law, or of its kept part where that is less.
  [[nodiscard]] double deviation(const model::Theta& theta) const;
  /// Runs that suit laws of at least this deviation. With the same runs the moments are smooth in theta.
  [[nodiscard]] Runs runs(double deviation) const;
  [[nodiscard]] LevelMoments at(const model::Theta& theta, const Runs& runs) const;
  [[nodiscard]] LevelMoments at(const model::Theta& theta) const;

 private:
  struct Walk;
  [[nodiscard]] bool drops() const { return number_.below < 0; }
  [[nodiscard]] std::size_t quarter_at(std::size_t first, double span) const;

  const model::NumberLaw& law_;
  const model::EncodedNumber& number_;
  std::size_t levels_;
  bool even_ = true;       ///< k counts equal steps of t
  bool ends_ = false;      ///< the law has an end ...
  std::size_t start_ = 0;  ///< ... between this edge and the one before
};

}  // namespace postern::infer
