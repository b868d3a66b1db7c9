#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "postern/core/rng.hpp"

#include "cell.hpp"
#include "message.hpp"
#include "numeric/inverse_cdf.hpp"
#include "split_envelope.hpp"
#include "split_table.hpp"

namespace postern::infer {

/// How a tree of sums is built and cut.
struct SumShape {
  std::vector<Window> windows;  ///< one a cell
  double tilt = 0;
  Window totals;           ///< the sums that matter
  std::int64_t pitch = 1;  ///< of which every sum is a multiple
  Care care = Care::of_largest;
  std::vector<Cut> cuts;   ///< what messages may drop at either end
  bool tabulates = false;  ///< narrow splits, for draws by the thousand
};

/// The tilted weights of one count, to be normalised; e^log_scale is divided out.
struct SumLeaf {
  Message message;
  double log_scale = 0;
};

/// The balanced tree of convolutions. A leaf holds the tilted, normalised weights of one cell, a node the law
/// of the sum of its leaves under the product law, the root that of the sums that matter.
class SumTree {
 public:
  /// Numbers that one split may keep (SumShape::tabulates).
  static constexpr double kMostTabulated = 4096;

  SumTree(std::span<const Cell> cells, SumShape shape, int threads);
  /// @pre each leaf has a weight above 0
  SumTree(std::vector<SumLeaf> leaves, SumShape&& shape, int threads);

  [[nodiscard]] std::size_t cells() const { return cells_; }
  [[nodiscard]] const SumShape& shape() const { return shape_; }
  [[nodiscard]] const Message& leaf(std::size_t cell) const { return nodes_[cell].message; }
  /// Of more than one cell counted in multiples of the pitch.
  [[nodiscard]] const Message& root() const { return nodes_.back().message; }
  /// What the root says about a sum.
  [[nodiscard]] double weight_of(std::int64_t sum) const { return weight_of(nodes_.back(), sum); }
  /// Log of what normalising the leaves divided out (without Cell::log_constant).
  [[nodiscard]] double log_leaf_mass() const { return log_leaf_mass_; }
  /// Bound on what transforms may have added to, or taken from, any one weight of the root.
  [[nodiscard]] double error() const;

  /// For each cell the law of the sum of all the others, as far as it can meet the cell and a sum that
  /// matters. Calls visit(cell, outside) once a cell, from several threads.
  void visit_outside(const std::function<void(std::size_t, const Message&)>& visit) const;
  /// The same for one of two cells. @pre cells() == 2
  [[nodiscard]] Message outside_of_pair(std::size_t cell) const {
    return outside_of(nodes_[cell], nodes_[1 - cell], Message{0, {1.0}});
  }

  /// Draws all counts, given their sum. @pre weight_of(total) > 0
  void share_out(std::int64_t total, std::span<std::int64_t> s, Rng& rng) const;

 private:
  struct Node {
    std::size_t left = 0;
    std::size_t right = 0;
    Message message;
    double mean = 0;
    double variance = 0;
    Window reach;  ///< sum of the windows of its leaves
    double error = 0;
    SplitEnvelope envelope;  ///< empty where splits are narrow
    SplitTable table;        ///< empty unless they are, and tabulated
  };
  void plant(std::vector<SumLeaf> leaves);
  void grow(Node& node, bool root);
  void prepare_draws();
  void tabulate(Node& node) const;
  [[nodiscard]] SplitEnvelope envelope_of(const Node& node) const;
  void descend(std::size_t node, Message outside,
               const std::function<void(std::size_t, const Message&)>& visit) const;
  [[nodiscard]] Message outside_of(const Node& child, const Node& sibling, const Message& outside) const;
  [[nodiscard]] double weight_of(const Node& node, std::int64_t sum) const;
  /// Draws the counts below a node, given their sum.
  void share_out(std::size_t node, std::int64_t sum, std::span<std::int64_t> s, Rng& rng) const;
  [[nodiscard]] std::int64_t split(const Node& node, std::int64_t sum, Rng& rng) const;

  std::size_t cells_;
  SumShape shape_;
  int threads_;
  std::vector<Node> nodes_;  ///< leaves first, the root last
  std::vector<std::pair<std::size_t, std::size_t>>
      levels_;                   ///< first and past-the-end node of each level above the leaves
  InverseCdf draw_first_split_;  ///< of the left part at the root; empty unless one sum matters
  std::int64_t first_split_lo_ = 0;
  double log_leaf_mass_ = 0;
};

}  // namespace postern::infer
