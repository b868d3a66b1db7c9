// x ~ Poisson(lambda), lambda ~ Gamma(shape, rate): lambda | s ~ Gamma(shape + s, rate + n).

#include "kinds/number/families/families.hpp"
#include "kinds/number/families/gamma_prior.hpp"
#include "kinds/number/families/learned_terms.hpp"
#include "kinds/number/families/transforms.hpp"

namespace postern::model {
namespace {

class Poisson final : public GammaPrior {
 public:
  [[nodiscard]] Tails tails(const Theta& theta, double t) const override {
    const double k = std::ceil(t);  // at least k arrivals: the k-th, a gamma variable, is before lambda
    if (k <= 0) return {0, 1};
    return {gamma_tail(k, theta[0]), gamma_cdf(k, theta[0])};
  }
  [[nodiscard]] TwoMoments moments(const Theta& theta) const override { return {theta[0], theta[0]}; }
  [[nodiscard]] SegmentMoments segment(const Theta& theta, Segment t) const override {
    return truncated_poisson(theta[0], t);
  }
  [[nodiscard]] double draw(const Theta& theta, Rng& rng) const override {
    return draw_poisson(theta[0], rng);
  }
  [[nodiscard]] bool possible(const Sums& sums) const override { return sums.t >= 0; }
  [[nodiscard]] Hyper update(const Hyper& prior, const Sums& sums) const override {
    return {prior[0] + sums.t, prior[1] + sums.n};
  }
};

}  // namespace

NumberFamily poisson_family() {
  return {.name = "poisson",
          .known = {},
          .prior = "gamma",
          .prior_numbers = {{"shape"}, {"rate"}},
          .default_prior = {1, 1},
          .parameters = {"lambda"},
          .labels = {"mean of"},
          .whole = true,
          .prior_records = [](std::span<const Rational> /*known*/,
                              std::span<const Rational> prior) -> Rational { return prior[1]; },
          .learned = [](std::span<const Rational> /*known*/, StatisticRange range,
                        double scale) { return log_uniform_rates(sizes(range.hi, scale)); },
          .planning = [](std::span<const Rational> /*known*/, StatisticRange range) -> Hyper {
            return {4, 20 / range.hi};
          },
          .transform = sum_numbers,
          .law = [](std::span<const Rational> /*known*/) -> std::shared_ptr<const NumberLaw> {
            return std::make_shared<Poisson>();
          }};
}

}  // namespace postern::model
