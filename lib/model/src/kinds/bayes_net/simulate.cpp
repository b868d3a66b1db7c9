#include <functional>

#include "postern/core/draw.hpp"
#include "postern/model/kinds/bayes_net.hpp"

namespace postern::model {
namespace {

using Add = std::function<void(std::span<const std::uint32_t>, std::int64_t)>;

/// One level of a row of probabilities, which may sum to 1 up to rounding only.
std::uint32_t draw_level(std::span<const double> row, Rng& rng) {
  double rest = rng.uniform();
  for (std::size_t level = 0; level + 1 < row.size(); ++level) {
    if (rest < row[level]) return static_cast<std::uint32_t>(level);
    rest -= row[level];
  }
  return static_cast<std::uint32_t>(row.size() - 1);
}

/// Splits records level by level, one node after the other: records that are alike so far stay together.
class Splitter {
 public:
  struct Network {
    const graph::Dag& dag;
    const std::vector<std::size_t>& offset;
    const std::vector<std::uint32_t>& sizes;
    const std::vector<double>& theta;
  };
  Splitter(const Network& net, Rng rng, const Add& add)
      : net_(net), rng_(rng), add_(add), levels_(net.sizes.size(), 0), counts_(net.sizes.size()) {}

  void split(std::size_t at, std::int64_t count) {
    if (count == 1) return one_record(at);
    if (at == net_.sizes.size()) return add_(levels_, count);
    const std::uint32_t node = net_.dag.order()[at];
    std::vector<std::int64_t>& counts = counts_[at];  // one vector a depth: the calls below use their own
    counts.resize(net_.sizes[node]);
    draw_multinomial(count, row_of(node), counts, rng_);
    for (std::uint32_t level = 0; level < net_.sizes[node]; ++level) {
      if (counts[level] == 0) continue;
      levels_[node] = level;
      split(at + 1, counts[level]);
    }
  }

 private:
  void one_record(std::size_t at) {
    for (; at < net_.sizes.size(); ++at) {
      const std::uint32_t node = net_.dag.order()[at];
      levels_[node] = draw_level(row_of(node), rng_);
    }
    add_(levels_, 1);
  }
  [[nodiscard]] std::span<const double> row_of(std::uint32_t node) const {
    std::size_t row = 0;
    for (const std::uint32_t parent : net_.dag.parents(node))
      row = row * net_.sizes[parent] + levels_[parent];
    const std::size_t size = net_.sizes[node];
    return {net_.theta.data() + net_.offset[node] + row * size, size};
  }

  Network net_;
  Rng rng_;
  const Add& add_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives the call
  std::vector<std::uint32_t> levels_;
  std::vector<std::vector<std::int64_t>> counts_;
};

}  // namespace

SimulatedNetwork::SimulatedNetwork(const BayesNet& net, std::vector<std::uint32_t> sizes,
                                   std::vector<double> theta, std::int64_t n, const Rng& rng)
    : dag_(dag_of(net)), sizes_(std::move(sizes)), theta_(std::move(theta)), n_(n), rng_(rng) {
  std::size_t cells = 0;
  for (const BayesNode& node : net.nodes) {
    offset_.push_back(cells);
    cells += node.alpha.size();
  }
}

void SimulatedNetwork::for_each(const Add& add) const {
  if (n_ > 0) Splitter({dag_, offset_, sizes_, theta_}, rng_, add).split(0, n_);
}

}  // namespace postern::model
