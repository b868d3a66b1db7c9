#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "postern/infer/kinds/number/gibbs/level_moments.hpp"
#include "postern/infer/numeric/chebyshev.hpp"
#include "postern/model/encoded_number.hpp"
#include "postern/model/number_law.hpp"

namespace postern::infer {

/// For a normal t, counted in units of k from the level of k = 0 (mean mu, variance v): the moments of q =
/// (k, (k - E k)^2) and of w = (t, (t - mu)^2), both about their means. Powers about the mean, since k and
/// k^2 are nearly the same thing far from 0. Var w = diag(v, 2 v^2).
struct SquareMoments {
  double mean = 0;                              ///< E k
  double variance = 0;                          ///< Var k, which is E (k - E k)^2
  double covariance = 0;                        ///< Cov q
  double square_variance = 0;                   ///< Var (k - E k)^2
  std::array<std::array<double, 2>, 2> with{};  ///< Cov(q_i, w_j)
};

/// SquareMoments from polynomials on panels of (mu, log v) that are made when first needed. Cov(q, w) are
/// slopes of E k and Var k in the natural parameters. Accuracy: about 1e-8 deviations. Not shared between
/// threads.
class NormalTable {
 public:
  NormalTable() = default;
  NormalTable(std::shared_ptr<const model::NumberLaw> law,
              std::shared_ptr<const model::EncodedNumber> number);

  [[nodiscard]] SquareMoments at(double mean, double log_variance);
  /// The same without Cov(q, w), and without making a panel where few look.
  [[nodiscard]] SquareMoments glance(double mean, double log_variance);
  /// Without Cov(q, w), from the levels themselves.
  [[nodiscard]] LevelMoments directly(double mean, double log_variance) const;

 private:
  static constexpr std::size_t kPoints = 12;
  static constexpr std::size_t kKinds = 8;
  using Poly = Chebyshev<kPoints>;
  using Grid = std::array<Poly::Series, kPoints>;  ///< [mean][log variance]
  struct Panel {
    double mean = 0, log_variance = 0;  ///< its middle
    double reach = -1, log_reach = -1;  ///< to its ends
    double least_variance = 0;          ///< that is told from 0
    double least_square_variance = 0;
    std::array<std::array<std::array<double, kKinds>, kPoints>, kPoints> series{};
    [[nodiscard]] bool holds(double m, double log_v) const;
    [[nodiscard]] SquareMoments at(double m, double log_v) const;
  };
  struct Slot {
    int glances = 0;
    std::shared_ptr<const Panel> panel;
  };
  [[nodiscard]] std::shared_ptr<const Panel> find(double mean, double log_variance, int patience);
  [[nodiscard]] Panel make(double mean, double log_variance, double reach) const;
  [[nodiscard]] model::Theta theta(double mean, double log_variance) const;

  std::shared_ptr<const model::NumberLaw> law_;
  std::shared_ptr<const model::EncodedNumber> number_;
  std::shared_ptr<const LevelMomentSum> levels_;
  std::shared_ptr<const Panel> current_;
  std::unordered_map<std::uint64_t, Slot> panels_;
};

}  // namespace postern::infer
