#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "postern/model/column.hpp"

#include "study/encode/found.hpp"

namespace postern::model {

/// Real numbers -> levels: level l >= 1 begins at its first grid point less half a grid step, which is what
/// rounding half up means. A short number is compared in integers, any other as an exact decimal.
class RealMap {
 public:
  explicit RealMap(const RealRange& range);
  [[nodiscard]] std::uint32_t locate(std::string_view text) const;
  [[nodiscard]] std::uint32_t locate(const char* text, std::size_t size) const {
    return locate({text, size});
  }
  template <class Use>
  void with_fast(Use use) const {
    use(*this);
  }

 private:
  struct Units {      // the same numbers as multiples of 10^-places, where they fit
    int places = -1;  // -1: they do not
    std::int64_t lo = 0;
    std::int64_t hi = 0;
    std::int64_t grid = 0;
    std::vector<std::int64_t> begins;  // of the levels 1, 2, ... when there are cuts
  };
  [[nodiscard]] Rational begin_of(std::uint32_t level) const;
  [[nodiscard]] std::uint32_t locate_short(std::int64_t digits, int places) const;
  void find_units();

  RealRange range_;
  std::uint32_t levels_;
  Units units_;
};

}  // namespace postern::model
