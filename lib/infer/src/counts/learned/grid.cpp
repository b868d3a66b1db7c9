#include <cmath>

#include "postern/infer/counts/learned_table.hpp"

namespace postern::infer {

Centres even_centres(const LearnedTable& table) {
  Centres out;
  for (const std::uint32_t levels : table.sizes) out.emplace_back(levels, 1.0 / levels);
  return out;
}

// They end at 100 records: with rows that may be as alike as thousands of records would show, noise hides how
// rows differ, and on real tables intervals were too narrow (docs/honesty.md).
std::vector<double> concentrations(std::size_t cells, double scale) {
  std::vector<double> out;
  if (cells <= 50) {
    for (const double decade : {0.1, 1.0, 10.0}) {
      out.push_back(scale * decade);
      out.push_back(scale * 3 * decade);
    }
    out.push_back(scale * 100);
    return out;
  }
  constexpr int kDecade = 8;  // a row of many cells tells its concentration to about a tenth of its logarithm
  for (int i = -kDecade; i <= 2 * kDecade; ++i) out.push_back(scale * std::pow(10.0, double(i) / kDecade));
  return out;
}

}  // namespace postern::infer
