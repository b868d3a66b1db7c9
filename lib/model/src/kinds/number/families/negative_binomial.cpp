// Failures before the r-th success, r known and any positive number: P(x) = Gamma(r + x)/(Gamma(r) x!)
// theta^r (1 - theta)^x; theta ~ Beta(a, b): theta | s ~ Beta(a + n r, b + s).

#include <cmath>

#include "kinds/number/families/beta_prior.hpp"
#include "kinds/number/families/families.hpp"
#include "kinds/number/families/learned_terms.hpp"
#include "kinds/number/families/transforms.hpp"

namespace postern::model {
namespace {

class NegativeBinomial final : public BetaPrior {
 public:
  explicit NegativeBinomial(double r) : r_(r) {}

  [[nodiscard]] Tails tails(const Theta& theta, double t) const override {
    const double k = std::ceil(t);
    if (k <= 0) return {0, 1};
    return {beta_cdf(r_, k, theta[0]), beta_cdf(k, r_, 1 - theta[0])};
  }
  [[nodiscard]] TwoMoments moments(const Theta& theta) const override {
    const double mean = r_ * (1 - theta[0]) / theta[0];
    return {mean, mean / theta[0]};
  }
  [[nodiscard]] SegmentMoments segment(const Theta& theta, Segment t) const override {
    return truncated_negative_binomial(r_, theta[0], t);
  }
  [[nodiscard]] double draw(const Theta& theta, Rng& rng) const override {
    return draw_poisson(draw_gamma(r_, rng) * (1 - theta[0]) / theta[0], rng);
  }
  [[nodiscard]] bool possible(const Sums& sums) const override { return sums.t >= 0; }
  [[nodiscard]] Hyper update(const Hyper& prior, const Sums& sums) const override {
    return {prior[0] + sums.n * r_, prior[1] + sums.t};
  }

 private:
  double r_;
};

}  // namespace

NumberFamily negative_binomial_family() {
  return {.name = "negative-binomial",
          .known = {{"successes"}},
          .prior = "beta",
          .prior_numbers = {{"a"}, {"b"}},
          .default_prior = {1, 1},
          .parameters = {"theta"},
          .labels = {"success probability of"},
          .whole = true,
          .prior_records = [](std::span<const Rational> known, std::span<const Rational> prior) -> Rational {
            return prior[0] / known[0];
          },
          .learned = [](std::span<const Rational> known, StatisticRange range,
                        double scale) { return log_uniform_odds(sizes(range.hi / known[0].get_d(), scale)); },
          .planning = [](std::span<const Rational> known, StatisticRange range) -> Hyper {
            return {4, 0.6 * range.hi / known[0].get_d()};
          },
          .transform = sum_numbers,
          .law = [](std::span<const Rational> known) -> std::shared_ptr<const NumberLaw> {
            return std::make_shared<NegativeBinomial>(known[0].get_d());
          }};
}

}  // namespace postern::model
