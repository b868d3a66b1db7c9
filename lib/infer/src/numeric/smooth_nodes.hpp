#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "window.hpp"

namespace postern::infer {

/// A law on many integers stands in for itself on few points, as long as only smooth functions are averaged
/// over it:
///
///   sum_x w(x) g(x) = sum_j c_j g(x_j),   c_j = sum_x w(x) l_j(x),
///
/// with l_j the polynomials that are 1 at node j and 0 at the other nodes of the same block. The window is
/// cut into blocks, and a block with no more integers than nodes keeps its integers: small problems are
/// summed exactly.
class SmoothNodes {
 public:
  /// scale(x): the distance over which g changes like a normal distribution function of that standard
  /// deviation.
  SmoothNodes(Window window, const std::function<double(double)>& scale, double error);

  [[nodiscard]] const std::vector<double>& nodes() const { return nodes_; }
  /// Adds w(x) l_j(x) to c_j. @pre out.size() == nodes().size(), x in the window
  void deposit(std::int64_t x, double w, std::span<double> out);
  struct Basis {
    std::size_t first = 0;           ///< index of the block's first node
    std::span<const double> values;  ///< l_j(x) of the block's nodes; valid until the next call
  };
  [[nodiscard]] Basis basis(std::int64_t x);

 private:
  struct Block {
    Window points;
    std::size_t first = 0;
    std::size_t count = 0;
    bool exact = false;
  };
  void add_block(Window points, double scale, double error);

  std::vector<Block> blocks_;
  std::vector<double> nodes_;
  std::vector<double> barycentric_;
  std::vector<double> values_;
  std::size_t last_ = 0;
};

}  // namespace postern::infer
