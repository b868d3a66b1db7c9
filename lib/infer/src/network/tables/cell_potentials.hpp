#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "postern/infer/noise/noisy_value.hpp"

#include "tables/line_window.hpp"

namespace postern::infer {

/// log of a function of one count on lo, lo + 1, ...; beyond its ends it goes on falling in a straight line.
struct CountMessage {
  std::int64_t lo = 0;
  std::vector<double> log_weight;
  double fall_below = 1;  ///< per step beyond an end
  double fall_above = 1;

  [[nodiscard]] double at(std::int64_t count) const {
    const std::int64_t i = count - lo;
    const auto last = static_cast<std::int64_t>(log_weight.size()) - 1;
    if (i < 0) return log_weight.front() + fall_below * static_cast<double>(i);
    if (i > last) return log_weight.back() - fall_above * static_cast<double>(i - last);
    return log_weight[static_cast<std::size_t>(i)];
  }
};

/// A target that is a product over cells, each a function of that cell's count c:
///   prod_j Gamma(shift_j + c)^{power_j}  x  P(noise = y - c) of its noisy values  x  a message.
/// What is asked for are logarithms of ratios, so that nothing large is subtracted from something large.
class CellPotentials {
 public:
  explicit CellPotentials(std::size_t cells) : terms_(cells), cells_(cells), messages_(cells) {}

  void add_gamma(std::size_t cell, double shift, int power);
  /// What is noised lies in least..most. To be called once a cell.
  void add_noise(std::size_t cell, std::span<const NoisyValue> noisy_values, std::int64_t most,
                 std::int64_t least = 0);
  void add_message(std::size_t cell, const CountMessage& message);
  /// Tabulates what was added; counts up to `most` will be asked for. To be called once, last.
  void finish(std::int64_t most);

  /// What the likelihood says of `to` against `from`: noise and messages alone.
  [[nodiscard]] double noise_ratio(std::size_t cell, std::int64_t from, std::int64_t to) const {
    const Cell& c = cells_[cell];
    const auto x = static_cast<double>(from);
    const auto y = static_cast<double>(to);
    double sum = c.rate * (std::abs(c.at - x) - std::abs(c.at - y));
    if (c.curvature > 0) sum -= 0.5 * c.curvature * (y - x) * (y - c.centre + (x - c.centre));
    if (c.message != nullptr) sum += c.message->at(to) - c.message->at(from);
    return c.more_count == 0 ? sum : sum + more_ratio(c, x, y);
  }
  [[nodiscard]] bool silent(std::size_t cell) const { return cells_[cell].silent; }  ///< noise_ratio is 0
  /// The whole target.
  [[nodiscard]] double log_ratio(std::size_t cell, std::int64_t from, std::int64_t to) const {
    return gamma_ratio(cells_[cell], from, to) + (silent(cell) ? 0 : noise_ratio(cell, from, to));
  }
  /// The whole target along a line on which the cell's count is count + sign m.
  void add_to(LineWindow& window, std::size_t cell, std::int64_t count, int sign) const;
  /// Noise and messages alone; the count may change by any `step` a unit of m.
  void add_noise_to(LineWindow& window, std::size_t cell, std::int64_t count, std::int64_t step) const;
  /// About what one over the variance is that noise leaves to a count; 0 if there is none.
  [[nodiscard]] double noise_precision(std::size_t cell) const;

 private:
  struct Term {
    double shift = 0;
    int power = 0;
    bool operator<(const Term& other) const {
      return std::pair(shift, power) < std::pair(other.shift, other.power);
    }
    bool operator==(const Term&) const = default;
  };
  using Profile = std::vector<Term>;
  struct Kink {  // e^{-rate |at - c|}
    double at = 0;
    double rate = 0;
  };
  struct Cell {
    const double* table = nullptr;  ///< of the gamma terms, relative to a count of 0
    double at = 0;                  ///< the first kink
    double rate = 0;
    double curvature = 0;  ///< of all Gaussian noise, and its centre
    double centre = 0;
    const CountMessage* message = nullptr;
    std::uint32_t profile = 0;
    std::uint32_t more_first = 0;  ///< further kinks
    std::uint32_t more_count = 0;
    bool silent = true;
  };

  [[nodiscard]] double gamma_ratio(const Cell& cell, std::int64_t from, std::int64_t to) const {
    if (cell.table == nullptr) return 0;
    if (from < tabulated_ && to < tabulated_) return cell.table[to] - cell.table[from];
    return far_gamma_ratio(profiles_[cell.profile], from, to);
  }
  [[nodiscard]] static double far_gamma_ratio(const Profile& profile, std::int64_t from, std::int64_t to);
  [[nodiscard]] double more_ratio(const Cell& cell, double from, double to) const;

  std::vector<Profile> terms_;  ///< per cell, until finished
  std::vector<Cell> cells_;
  std::vector<Kink> kinks_;
  std::vector<std::unique_ptr<CountMessage>> messages_;  ///< per cell
  std::vector<Profile> profiles_;
  std::vector<double> table_;  ///< of all profiles
  std::int64_t tabulated_ = 0;
};

}  // namespace postern::infer
