#include "split_table.hpp"

#include <algorithm>

namespace postern::infer {
namespace {

/// The left parts that a sum can have.
Window parts_of(const Message& left, const Message& right, std::int64_t sum) {
  return intersect(left.window(), {sum - right.window().hi, sum - right.lo});
}

}  // namespace

double SplitTable::size_of(const Message& left, const Message& right, Window sums) {
  return static_cast<double>(sums.size()) *
         static_cast<double>(std::min(left.weight.size(), right.weight.size()));
}

SplitTable::SplitTable(const Message& left, const Message& right, Window sums) : first_sum_(sums.lo) {
  rows_.reserve(sums.size());
  running_.reserve(static_cast<std::size_t>(size_of(left, right, sums)));
  for (std::int64_t sum = sums.lo; sum <= sums.hi; ++sum) {
    const Window parts = parts_of(left, right, sum);
    rows_.push_back({parts.lo, running_.size(), parts.size()});
    double total = 0;
    for (std::int64_t x = parts.lo; x <= parts.hi; ++x)
      running_.push_back(total += left.at(x) * right.at(sum - x));
  }
}

std::int64_t SplitTable::draw(std::int64_t sum, Rng& rng) const {
  const Row& row = rows_[static_cast<std::size_t>(sum - first_sum_)];
  const double* first = running_.data() + row.begin;
  const double target = rng.uniform() * first[row.size - 1];
  // The first running sum that reaches the target, without branches to mispredict.
  std::size_t below = 0;
  for (std::size_t left = row.size; left > 1;) {
    const std::size_t half = left / 2;
    below += first[below + half - 1] < target ? half : 0;
    left -= half;
  }
  return row.lo + static_cast<std::int64_t>(below);
}

}  // namespace postern::infer
