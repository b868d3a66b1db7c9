#include "count_kernel.hpp"

#include <algorithm>
#include <limits>

namespace postern::owner {
namespace {

constexpr std::size_t kCellBlock = 1024;
// Up to this many cells, four tables of 16-bit counters fit where two of a larger one do.
constexpr std::size_t kTinyCells = 4096;

template <std::size_t Copies>
void count_block(const std::uint16_t* cells, std::size_t count, std::uint16_t* counters, std::size_t stride) {
  std::size_t i = 0;
  for (; i + Copies <= count; i += Copies) {
    for (std::size_t k = 0; k < Copies; ++k) ++counters[k * stride + cells[i + k]];
  }
  for (; i < count; ++i) ++counters[cells[i]];
}

}  // namespace

NarrowCounter::NarrowCounter(std::size_t rows, std::size_t columns)
    : columns_(static_cast<std::uint16_t>(columns)),
      cells_(rows * columns),
      copies_(cells_ <= kTinyCells ? 4 : 2),
      // In each block the first table also takes the remainder.
      most_rows_(kCellBlock * (std::numeric_limits<std::uint16_t>::max() / (kCellBlock / copies_ + copies_))),
      counters_(copies_ * cells_, 0),
      sums_(cells_, 0) {}

void NarrowCounter::add(const std::uint8_t* a, const std::uint8_t* b, std::size_t count) {
  std::uint16_t cells[kCellBlock];
  for (std::size_t begin = 0; begin < count; begin += kCellBlock) {
    const std::size_t size = std::min(kCellBlock, count - begin);
    if (rows_ + kCellBlock > most_rows_) empty();
    rows_ += kCellBlock;
    for (std::size_t i = 0; i < size; ++i) {
      cells[i] = static_cast<std::uint16_t>(a[begin + i] * columns_ + b[begin + i]);
    }
    if (copies_ == 4) {
      count_block<4>(cells, size, counters_.data(), cells_);
    } else {
      count_block<2>(cells, size, counters_.data(), cells_);
    }
  }
  wipe(cells, sizeof cells);
}

void NarrowCounter::empty() {
  for (std::size_t k = 0; k < copies_; ++k) {
    const std::uint16_t* const copy = counters_.data() + k * cells_;
    for (std::size_t i = 0; i < cells_; ++i) sums_.data()[i] += copy[i];
  }
  std::fill(counters_.begin(), counters_.end(), std::uint16_t{0});
  rows_ = 0;
}

void NarrowCounter::finish(std::vector<std::int64_t>& totals) {
  empty();
  for (std::size_t i = 0; i < cells_; ++i) totals[i] += sums_[i];
  std::fill(sums_.begin(), sums_.end(), 0);
}

}  // namespace postern::owner
