#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/kinds/markov_selection.hpp"
#include "postern/model/statistic/clique_scores.hpp"

namespace postern::model {
namespace {

/// Public integers, one after the other, each within what it may be.
class Numbers {
 public:
  explicit Numbers(std::span<const Int128> table) : table_(table) {}
  [[nodiscard]] std::int64_t next(std::int64_t most) {
    if (at_ == table_.size() || table_[at_] < 0 || table_[at_] > most) refuse();
    return static_cast<std::int64_t>(table_[at_++]);
  }
  void finish() const {
    if (at_ != table_.size()) refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::bad_value, {"a table of candidate pairs does not have the form of one"});
  }
  std::span<const Int128> table_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Int128> write_candidates(const std::vector<PairCandidate>& candidates) {
  std::vector<Int128> out{static_cast<Int128>(candidates.size())};
  for (const PairCandidate& one : candidates) {
    out.insert(out.end(), {Int128{one.first}, Int128{one.second}, Int128{one.handicap}});
    out.insert(out.end(), one.expected.begin(), one.expected.end());
  }
  return out;
}

std::vector<PairCandidate> read_candidates(std::span<const Int128> table, const MarkovNet& net) {
  Numbers numbers(table);
  const auto columns = static_cast<std::int64_t>(net.columns.size());
  std::vector<PairCandidate> out;
  for (std::int64_t left = numbers.next(columns * columns); left > 0; --left) {
    PairCandidate& one = out.emplace_back();
    one.first = static_cast<std::uint32_t>(numbers.next(columns - 1));
    one.second = static_cast<std::uint32_t>(numbers.next(columns - 1));
    if (one.first >= one.second)
      throw Error(ErrorCode::bad_value, {"a candidate is no pair of columns in their order"});
    one.handicap = numbers.next(kMostExpected);
    const std::size_t cells = std::size_t{net.levels[one.first]} * net.levels[one.second];
    for (std::size_t cell = 0; cell < cells; ++cell) one.expected.push_back(numbers.next(kMostExpected));
  }
  numbers.finish();
  return out;
}

double quick_cells(const MarkovNet& net) {
  return graph::eliminate(graph_of(net), net.levels, graph::Greedy::min_fill).cells;
}

}  // namespace postern::model
