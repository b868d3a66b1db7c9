#pragma once

#include <memory>
#include <vector>

#include "postern/model/encoded_number.hpp"
#include "postern/model/kinds/principal_axis.hpp"

#include "kinds/choice/level_law.hpp"

namespace postern::infer {

/// Two numbers that are Normal(0, theta theta' + sigma^2 I), theta ~ Normal(0, variance I), as they are
/// encoded: the levels of a LevelLaw are the cells of their table. A Theta is theta, then the probability of
/// every cell.
class AxisLaw : public LevelLaw {
 public:
  AxisLaw(const model::PrincipalAxis& model, const model::Schema& schema);

  [[nodiscard]] double sigma() const { return sigma_; }
  /// The standard deviation of theta's coordinates.
  [[nodiscard]] double spread() const { return spread_; }
  [[nodiscard]] Theta at(double theta_1, double theta_2) const;
  /// Log density of the prior but for a constant.
  [[nodiscard]] double log_prior_at(double length) const;

  [[nodiscard]] std::vector<std::string> names() const override { return {"theta.1", "theta.2"}; }
  [[nodiscard]] std::vector<std::string> labels() const override { return names(); }
  void report(const Theta& theta, std::span<double> out) const override;
  void probabilities(const Theta& theta, std::vector<double>& p) const override;
  /// From the posterior of records that lie at the middles of their cells, but for their rounding's
  /// variance: theta's direction is then a von Mises law of twice the angle, given its length, whose density
  /// is taken on a grid. One draw in fifty is from the prior instead.
  [[nodiscard]] Theta draw(std::span<const std::int64_t> counts, Rng& rng) const override;
  [[nodiscard]] double log_excess(const Theta& theta, std::span<const std::int64_t> counts) const override;

  // It has two parameters, and no line.
  [[nodiscard]] Line line() const override { return {}; }
  [[nodiscard]] double log_prior(double /*at*/) const override { return 0; }
  [[nodiscard]] Theta on_line(double /*at*/) const override { return {}; }

 private:
  void fill_cells(double theta_1, double theta_2, double* cells) const;

  double sigma_;
  double spread_;
  std::vector<model::EncodedNumber> numbers_;  ///< two
  std::vector<double> middles_[2];             ///< what levels stand for
  double rounding_[2] = {0, 0};                ///< variance of what is rounded away
};

}  // namespace postern::infer
