#include "dot_products.hpp"

#include <algorithm>

namespace postern::owner {
namespace {

constexpr std::size_t kDotBlock = 1024;
/// Products of a whole block of numbers up to this fit 32 bits.
constexpr std::int32_t kNarrow = 1024;

/// The sum of a block's products. Its length is known, so that compilers make vectors of it.
template <class Sum>
Sum dot(const std::int16_t* a, const std::int16_t* b) {
  Sum sum = 0;
  for (std::size_t i = 0; i < kDotBlock; ++i) sum += static_cast<std::int32_t>(a[i]) * b[i];
  return sum;
}

std::int64_t total(const std::int16_t* a) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < kDotBlock; ++i) sum += a[i];
  return sum;
}

/// The numbers of one block of rows, column after column; past the last row they are 0.
class Block {
 public:
  explicit Block(const std::vector<SmallNumbers>& numbers)
      : numbers_(numbers), values_(numbers.size() * kDotBlock) {
    for (const SmallNumbers& one : numbers) {
      for (const std::int16_t k : one.numbers) narrow_ = narrow_ && k <= kNarrow && k >= -kNarrow;
    }
  }
  void load(std::size_t begin, std::size_t rows) {
    for (std::size_t c = 0; c < numbers_.size(); ++c) {
      std::int16_t* const out = values_.data() + c * kDotBlock;
      const std::int16_t* const table = numbers_[c].numbers.data();
      std::visit(
          [&](const auto& codes) {
            const auto* const in = codes.data() + begin;
            for (std::size_t i = 0; i < rows; ++i) out[i] = table[in[i]];
          },
          *numbers_[c].codes);
      std::fill(out + rows, out + kDotBlock, std::int16_t{0});
    }
  }
  [[nodiscard]] const std::int16_t* column(std::size_t c) const { return values_.data() + c * kDotBlock; }
  void add_products(SmallSums& out) const {
    const std::size_t size = numbers_.size();
    for (std::size_t i = 0; i < size; ++i) {
      out.sums[i] += total(column(i));
      for (std::size_t j = i; j < size; ++j) {
        out.products[i * size + j] +=
            narrow_ ? dot<std::int32_t>(column(i), column(j)) : dot<std::int64_t>(column(i), column(j));
      }
    }
  }

 private:
  const std::vector<SmallNumbers>& numbers_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives it
  Wiped<std::int16_t> values_;
  bool narrow_ = true;
};

void add_within(const Block& block, const CodedColumn& category, std::size_t begin, std::size_t rows,
                std::size_t numbers, std::vector<std::int64_t>& within) {
  const std::size_t levels = within.size() / std::max<std::size_t>(numbers, 1);
  std::visit(
      [&](const auto& codes) {
        const auto* const in = codes.data() + begin;
        for (std::size_t c = 0; c < numbers; ++c) {
          std::int64_t* const sums = within.data() + c * levels;
          const std::int16_t* const values = block.column(c);
          for (std::size_t i = 0; i < rows; ++i) sums[in[i]] += values[i];
        }
      },
      category);
}

void add_each(std::vector<std::int64_t>& to, const std::vector<std::int64_t>& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

}  // namespace

SmallSums::SmallSums(std::size_t numbers, std::span<const std::uint32_t> levels)
    : sums(numbers), products(numbers * numbers) {
  for (const std::uint32_t size : levels) within.emplace_back(numbers * size);
}

void SmallSums::add(const SmallSums& other) {
  add_each(sums, other.sums);
  add_each(products, other.products);
  for (std::size_t c = 0; c < within.size(); ++c) add_each(within[c], other.within[c]);
}

void add_rows(const std::vector<SmallNumbers>& numbers, const std::vector<const CodedColumn*>& categories,
              std::size_t begin, std::size_t end, SmallSums& out) {
  Block block(numbers);
  for (std::size_t at = begin; at < end; at += kDotBlock) {
    const std::size_t rows = std::min(kDotBlock, end - at);
    block.load(at, rows);
    block.add_products(out);
    for (std::size_t c = 0; c < categories.size(); ++c)
      add_within(block, *categories[c], at, rows, numbers.size(), out.within[c]);
  }
}

}  // namespace postern::owner
