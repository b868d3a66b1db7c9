// x ~ Binomial(trials, theta), theta ~ Beta(a, b). The column holds 0..trials, so that nothing is clamped and
// the sum is sufficient: theta | s ~ Beta(a + s, b + n trials - s).

#include <cmath>

#include "kinds/number/families/beta_prior.hpp"
#include "kinds/number/families/families.hpp"
#include "kinds/number/families/learned_terms.hpp"
#include "kinds/number/families/transforms.hpp"

namespace postern::model {
namespace {

class Binomial final : public BetaPrior {
 public:
  explicit Binomial(double trials) : trials_(trials) {}

  [[nodiscard]] Tails tails(const Theta& theta, double t) const override {
    const double k = std::ceil(t);  // P(x < t) = P(x <= k - 1)
    if (k <= 0) return {0, 1};
    if (k > trials_) return {1, 0};
    return {beta_cdf(trials_ - k + 1, k, 1 - theta[0]), beta_cdf(k, trials_ - k + 1, theta[0])};
  }
  [[nodiscard]] TwoMoments moments(const Theta& theta) const override {
    return {trials_ * theta[0], trials_ * theta[0] * (1 - theta[0])};
  }
  [[nodiscard]] SegmentMoments segment(const Theta& theta, Segment t) const override {
    return truncated_binomial(trials_, theta[0], t);
  }
  [[nodiscard]] double draw(const Theta& theta, Rng& rng) const override {
    return static_cast<double>(draw_binomial(static_cast<std::int64_t>(trials_), theta[0], rng));
  }
  [[nodiscard]] bool possible(const Sums& sums) const override {
    return sums.t >= 0 && sums.t <= sums.n * trials_;
  }
  [[nodiscard]] Hyper update(const Hyper& prior, const Sums& sums) const override {
    return {prior[0] + sums.t, prior[1] + sums.n * trials_ - sums.t};
  }

 private:
  double trials_;
};

}  // namespace

NumberFamily binomial_family() {
  return {.name = "binomial",
          .known = {{"trials", NumberRule::whole}},
          .prior = "beta",
          .prior_numbers = {{"a"}, {"b"}},
          .default_prior = {1, 1},
          .parameters = {"theta"},
          .labels = {"success probability of"},
          .whole = true,
          .bounded = true,
          .prior_records = [](std::span<const Rational> known, std::span<const Rational> prior) -> Rational {
            return (prior[0] + prior[1]) / known[0];
          },
          .learned = [](std::span<const Rational> /*known*/, StatisticRange /*range*/,
                        double scale) { return learned_share(scale); },
          .planning = [](std::span<const Rational> /*known*/, StatisticRange /*range*/) -> Hyper {
            return {1, 1};
          },
          .transform = sum_numbers,
          .law = [](std::span<const Rational> known) -> std::shared_ptr<const NumberLaw> {
            return std::make_shared<Binomial>(known[0].get_d());
          }};
}

}  // namespace postern::model
