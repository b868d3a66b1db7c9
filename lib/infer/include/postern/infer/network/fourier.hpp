#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/infer/network/problem.hpp"
#include "postern/model/schema.hpp"
#include "postern/release/release.hpp"

namespace postern::infer {

/// Adds what a block of coefficients says, or a number of records, to a problem. `number` gives a column's
/// variable of the problem. Blocks of other statistics are left alone; says whether it was one of these.
bool add_coefficients(NetworkProblem& problem, const release::MeasuredBlock& measured,
                      const model::Schema& schema, const std::map<std::string, std::uint32_t>& number);

/// A family's table as coefficients give it, row-major over the family's variables: whole numbers over one
/// denominator. Cells may be negative.
struct FourierTable {
  std::vector<Integer> numerators;
  Integer denominator = 1;
  [[nodiscard]] Rational cell(std::size_t index) const;
};

/// The noisy coefficients of a network's families, exactly. Everything here is post-processing of a release:
/// it costs nothing, and the release keeps what was measured.
class NoisyCoefficients {
 public:
  /// Several values of one coefficient are averaged by precision. Fails: engine_unsuitable if a coefficient
  /// of a family is missing, or n where it is not known.
  explicit NoisyCoefficients(const NetworkProblem& problem);

  [[nodiscard]] const Rational& total() const { return total_; }  ///< n: known, or noised
  /// One a family, as the coefficients are. Families agree on what they share, exactly.
  [[nodiscard]] std::vector<FourierTable> tables() const { return repaired(0, 1); }

  /// The least that, added to the total, leaves no cell of any family negative. An increment is a symmetric
  /// prior of increment / cells a cell: tables then claim as many more records than there are.
  [[nodiscard]] Rational least_increment() const;
  /// The largest factor, at most 1, on all coefficients but the total that leaves no cell negative; 1 if and
  /// only if the least increment is 0, and 0 where the total is not positive.
  [[nodiscard]] Rational largest_shrinkage() const;
  [[nodiscard]] std::vector<FourierTable> repaired(const Rational& increment,
                                                   const Rational& shrinkage) const;
  /// No cell negative, and families agree: shrunk where n is known, so that every table still adds up to n
  /// (an increment would show the noise), else incremented.
  [[nodiscard]] std::vector<FourierTable> repaired() const;

 private:
  struct Family {
    std::vector<std::uint32_t> sizes;
    std::vector<Rational> coefficients;  ///< of its transformed table; the first, the total, is left 0
  };
  /// The table of a family, undone axis by axis.
  [[nodiscard]] static std::vector<Rational> table(const Family& family, const Rational& total,
                                                   const Rational& shrinkage);

  std::vector<Family> families_;
  Rational total_;
  bool known_ = true;
};

}  // namespace postern::infer
