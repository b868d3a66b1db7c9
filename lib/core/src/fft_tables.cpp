#include "fft_tables.hpp"

#include <cmath>
#include <mutex>
#include <numbers>
#include <vector>

namespace postern::fft {
namespace {

constexpr int kMaxLevels = 48;

struct Table {
  std::once_flag made;
  std::vector<double> values;  ///< real parts, then imaginary parts
};

/// The bits of `value`, the lowest `count` of them, in the opposite order.
std::size_t mirror(std::size_t value, int count) {
  std::size_t out = 0;
  for (int bit = 0; bit < count; ++bit) out |= (value >> bit & 1) << (count - 1 - bit);
  return out;
}

void fill(std::vector<double>& values, Root root, int log_count) {
  const std::size_t count = std::size_t{1} << log_count;
  values.resize(2 * count);
  for (std::size_t k = 0; k < count; ++k) {
    // v of the node root * count + k has log_count + 2 binary digits; the twiddle is at v / 4.
    const std::size_t node = (static_cast<std::size_t>(root) << log_count) + k;
    const Complex w = unit_root(mirror(node, log_count + 2), count << 4);
    values[k] = w.re;
    values[count + k] = w.im;
  }
}

}  // namespace

Complex unit_root(std::size_t top, std::size_t bottom) {
  // Into the first octant: quarter turns, then a reflection in the diagonal.
  const std::size_t quarters = 4 * top / bottom;
  const std::size_t rest = 4 * top - quarters * bottom;  // in quarter turns: rest / bottom < 1
  const bool reflect = 2 * rest > bottom;
  const double angle = std::numbers::pi / 2 * static_cast<double>(reflect ? bottom - rest : rest) /
                       static_cast<double>(bottom);
  const double c = reflect ? std::sin(angle) : std::cos(angle);
  const double s = reflect ? std::cos(angle) : std::sin(angle);
  switch (quarters) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
  }
}

Level level_twiddles(Root root, int log_count) {
  static std::array<std::array<Table, kMaxLevels>, 2> tables;
  Table& table = tables[root == Root::i ? 0 : 1].at(static_cast<std::size_t>(log_count));
  std::call_once(table.made, fill, std::ref(table.values), root, log_count);
  const double* re = table.values.data();
  return {re, re + (std::size_t{1} << log_count)};
}

}  // namespace postern::fft
