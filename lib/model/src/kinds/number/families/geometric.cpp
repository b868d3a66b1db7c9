// P(x) = theta (1 - theta)^x on 0, 1, ...; theta ~ Beta(a, b): theta | s ~ Beta(a + n, b + s).

#include <cmath>

#include "kinds/number/families/beta_prior.hpp"
#include "kinds/number/families/families.hpp"
#include "kinds/number/families/learned_terms.hpp"
#include "kinds/number/families/transforms.hpp"

namespace postern::model {
namespace {

class Geometric final : public BetaPrior {
 public:
  [[nodiscard]] Tails tails(const Theta& theta, double t) const override {
    const double k = std::max(0.0, std::ceil(t));
    const double log_above = k * std::log1p(-theta[0]);
    return {-std::expm1(log_above), std::exp(log_above)};
  }
  [[nodiscard]] TwoMoments moments(const Theta& theta) const override {
    const double mean = (1 - theta[0]) / theta[0];
    return {mean, mean / theta[0]};
  }
  [[nodiscard]] SegmentMoments segment(const Theta& theta, Segment t) const override {
    return truncated_geometric(theta[0], t);
  }
  [[nodiscard]] double draw(const Theta& theta, Rng& rng) const override {
    return std::floor(-draw_exponential(rng) / std::log1p(-theta[0]));
  }
  [[nodiscard]] bool possible(const Sums& sums) const override { return sums.t >= 0; }
  [[nodiscard]] Hyper update(const Hyper& prior, const Sums& sums) const override {
    return {prior[0] + sums.n, prior[1] + sums.t};
  }
};

}  // namespace

NumberFamily geometric_family() {
  return {.name = "geometric",
          .known = {},
          .prior = "beta",
          .prior_numbers = {{"a"}, {"b"}},
          .default_prior = {1, 1},
          .parameters = {"theta"},
          .labels = {"stopping probability of"},
          .whole = true,
          .prior_records = [](std::span<const Rational> /*known*/,
                              std::span<const Rational> prior) -> Rational { return prior[0]; },
          .learned = [](std::span<const Rational> /*known*/, StatisticRange range,
                        double scale) { return log_uniform_odds(sizes(range.hi, scale)); },
          .planning = [](std::span<const Rational> /*known*/, StatisticRange range) -> Hyper {
            return {4, 0.6 * range.hi};
          },
          .transform = sum_numbers,
          .law = [](std::span<const Rational> /*known*/) -> std::shared_ptr<const NumberLaw> {
            return std::make_shared<Geometric>();
          }};
}

}  // namespace postern::model
