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

/// A parameter on the whole line: log theta, log odds, or theta in deviations of t.
class FreeParameter {
 public:
  explicit FreeParameter(const model::NumberLaw& law);
  [[nodiscard]] double from(double theta) const;
  [[nodiscard]] double to(double free) const;
  /// log |d theta / d free|, up to a constant.
  [[nodiscard]] double log_slope(double free) const;
  [[nodiscard]] double least() const;
  [[nodiscard]] double most() const;

 private:
  model::ParameterSpace space_;
  double scale_ = 1;
};

/// What one record adds, k, and its statistic t, together.
struct RecordMoments {
  double mean = 0;        ///< E k
  double variance = 0;    ///< Var k
  double covariance = 0;  ///< Cov(k, t)
};

/// RecordMoments of a law with one parameter, from polynomials on panels that are made when first needed: a
/// look-up costs tens of nanoseconds whatever the law. Cov(k, t) is the slope of E k in the natural
/// parameter, which holds for every exponential family and any k. Accuracy: about 1e-9 deviations. Not shared
/// between threads.
class MomentTable {
 public:
  MomentTable() = default;
  MomentTable(std::shared_ptr<const model::NumberLaw> law,
              std::shared_ptr<const model::EncodedNumber> number);

  [[nodiscard]] const FreeParameter& free() const { return *free_; }
  [[nodiscard]] RecordMoments at(double free);
  /// The same without Cov(k, t), and without making a panel where few look.
  [[nodiscard]] RecordMoments glance(double free);
  /// Without Cov(k, t), from the levels themselves.
  [[nodiscard]] LevelMoments directly(double free) const;

 private:
  static constexpr std::size_t kPoints = 16;
  using Poly = Chebyshev<kPoints>;
  struct Panel {
    double lo = 0;
    double hi = -1;
    bool good = false;
    double least_variance = 0;  ///< that is told from 0
    std::array<std::array<double, 3>, kPoints> series{};
    [[nodiscard]] RecordMoments at(double free) const;
  };
  struct Node {
    double mean = 0, variance = 0, t_mean = 0, t_variance = 0;
  };

  [[nodiscard]] Node node(double free, const LevelMomentSum::Runs& runs) const;
  [[nodiscard]] const Panel& find(double free);
  [[nodiscard]] bool too_wide(double lo, double hi) const;
  [[nodiscard]] Panel make(double lo, double hi, const LevelMomentSum::Runs& runs) const;
  [[nodiscard]] bool faithful(const Panel& panel, const LevelMomentSum::Runs& runs) const;

  std::shared_ptr<const model::NumberLaw> law_;
  std::shared_ptr<const model::EncodedNumber> number_;
  std::shared_ptr<const FreeParameter> free_;
  std::shared_ptr<const LevelMomentSum> levels_;
  Panel current_;
  std::unordered_map<std::uint64_t, Panel> panels_;
  std::unordered_map<std::int64_t, int> glances_;
};

}  // namespace postern::infer
