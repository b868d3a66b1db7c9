#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kinds/number/exact/theta/line_density.hpp"
#include "total_table.hpp"

namespace postern::infer {

/// The law of n, given theta and without it: tables of n at some places of theta's line, between which the
/// distribution functions are cubic. Places are added where leaving one out shows that the cubics are not
/// good enough for the moments of n or for its distribution function.
class TotalLaw {
 public:
  /// @param table_at the law of n at a place; must be safe to call from several threads
  /// @param most n never exceeds
  TotalLaw(const std::function<TotalTable(double z)>& table_at, const LineDensity& density, std::int64_t most,
           int threads);

  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double sd() const { return sd_; }
  /// The smallest n with P(n' <= n) >= p.
  [[nodiscard]] std::int64_t quantile(double p) const;
  [[nodiscard]] std::int64_t draw(double z, Rng& rng) const;

 private:
  /// Lagrange's weights of the places around z.
  struct Blend {
    std::size_t first = 0;
    std::size_t count = 0;
    std::array<double, 4> weight{};
  };
  /// What must be known well: moments in deviations, and the distribution function at some numbers.
  static constexpr std::size_t kFeatures = 9;
  using Features = std::array<double, kFeatures>;

  [[nodiscard]] Blend blend(double z) const;
  [[nodiscard]] double cdf(double n) const;
  void share(const LineDensity& density);
  [[nodiscard]] std::vector<double> wanted() const;
  void add(const std::vector<double>& places, const std::function<TotalTable(double z)>& table_at,
           int threads);

  std::int64_t most_;
  std::vector<double> place_;  ///< rising
  std::vector<TotalTable> table_;
  std::vector<double> share_;  ///< of each table in the law of n
  std::vector<double> mass_;   ///< of theta between a place and the next
  double mean_ = 0;
  double sd_ = 0;
};

}  // namespace postern::infer
