#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/graph/variables.hpp"

namespace postern::graph {

/// A table of logarithms over some variables, in the order given, row-major, the last one fastest. Minus
/// infinity is a cell of weight zero. A factor of no variables is one number.
class Factor {
 public:
  Factor() : logs_(1, 0.0) {}
  /// `sizes` are those of `variables`, one each. Fails: internal if the three do not fit, or a variable
  /// repeats.
  Factor(Variables variables, Sizes sizes, std::vector<double> logs);
  [[nodiscard]] const Variables& variables() const { return variables_; }
  [[nodiscard]] const Sizes& sizes() const { return sizes_; }  ///< of variables(), one each
  [[nodiscard]] const std::vector<double>& logs() const { return logs_; }
  [[nodiscard]] double log_total() const;  ///< the logarithm of the sum of all weights

 private:
  Variables variables_;
  Sizes sizes_;
  std::vector<double> logs_;
};

/// a times b: over the variables of a, then those of b that a has not.
[[nodiscard]] Factor product(const Factor& a, const Factor& b);
/// The other variables summed out, or maximised out; `to` gives the order. @pre a has each of `to`.
[[nodiscard]] Factor sum_to(const Factor& a, const Variables& to);
[[nodiscard]] Factor max_to(const Factor& a, const Variables& to);
/// The slice at the levels seen; evidence of other variables is ignored.
[[nodiscard]] Factor reduced(const Factor& a, const Evidence& evidence);

}  // namespace postern::graph
