// x ~ Normal(mu, variance), variance known, mu ~ Normal(mean, variance of the prior): precisions add.

#include <cmath>
#include <numbers>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"

#include "kinds/number/families/families.hpp"
#include "kinds/number/families/learned_terms.hpp"
#include "kinds/number/families/transforms.hpp"

namespace postern::model {
namespace {

class NormalMean final : public NumberLaw {
 public:
  explicit NormalMean(double variance) : variance_(variance), deviation_(std::sqrt(variance)) {}

  [[nodiscard]] ParameterSpace space(std::size_t /*parameter*/) const override {
    return ParameterSpace::real;
  }
  [[nodiscard]] Tails tails(const Theta& theta, double t) const override {
    const double z = (t - theta[0]) / deviation_;
    return {normal_cdf(z), normal_cdf(-z)};
  }
  [[nodiscard]] TwoMoments moments(const Theta& theta) const override { return {theta[0], variance_}; }
  [[nodiscard]] SegmentMoments segment(const Theta& theta, Segment t) const override {
    const NormalSegmentMoments all = truncated_normal(theta[0], deviation_, t);
    return {all.log_mass, all.mean, all.variance};
  }
  [[nodiscard]] double draw(const Theta& theta, Rng& rng) const override {
    return theta[0] + deviation_ * draw_normal(rng);
  }
  [[nodiscard]] bool possible(const Sums& /*sums*/) const override { return true; }
  [[nodiscard]] Hyper update(const Hyper& prior, const Sums& sums) const override {
    const double precision = 1 / prior[1] + sums.n / variance_;
    return {(prior[0] / prior[1] + sums.t / variance_) / precision, 1 / precision};
  }
  [[nodiscard]] Theta draw_theta(const Hyper& prior, Rng& rng) const override {
    return {prior[0] + std::sqrt(prior[1]) * draw_normal(rng), 0};
  }
  [[nodiscard]] double log_prior(const Hyper& prior, const Theta& theta) const override {
    const double d = theta[0] - prior[0];
    return -0.5 * (d * d / prior[1] + std::log(2 * std::numbers::pi * prior[1]));
  }
  [[nodiscard]] double log_evidence(const Hyper& prior, const Sums& sums) const override {
    if (sums.n == 0) return 0;
    return log_prior({prior[0], prior[1] + variance_ / sums.n}, {sums.t / sums.n, 0});
  }

 private:
  double variance_;
  double deviation_;
};

}  // namespace

NumberFamily normal_mean_family() {
  return {.name = "normal-mean",
          .known = {{"variance"}},
          .prior = "normal",
          .prior_numbers = {{"mean", NumberRule::any}, {"variance"}},
          .default_prior = {},
          .parameters = {"mu"},
          .labels = {"mean of"},
          .rounds = true,
          .non_negative = false,
          .prior_records = [](std::span<const Rational> known, std::span<const Rational> prior) -> Rational {
            return known[0] / prior[1];
          },
          .learned = [](std::span<const Rational> /*known*/, StatisticRange range,
                        double /*scale*/) { return flat_mean(range); },
          .planning = [](std::span<const Rational> /*known*/, StatisticRange range) -> Hyper {
            const double fifth = (range.hi - range.lo) / 5;
            return {0.5 * (range.lo + range.hi), fifth * fifth};
          },
          .transform = sum_numbers,
          .law = [](std::span<const Rational> known) -> std::shared_ptr<const NumberLaw> {
            return std::make_shared<NormalMean>(known[0].get_d());
          }};
}

}  // namespace postern::model
