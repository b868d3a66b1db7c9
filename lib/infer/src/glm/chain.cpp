#include "postern/infer/glm/chain.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

#include "kernel.hpp"

namespace postern::infer {
namespace {

/// Where n is known and there are too few records to say anything: theta as it was before.
class PriorKernel {
 public:
  using State = std::vector<double>;
  struct Info {};
  explicit PriorKernel(const GlmProblem& problem) : problem_(&problem), quantities_(problem) {}
  [[nodiscard]] State init(Rng& rng) const {
    State state(quantities_.all);
    step(state, rng);
    return state;
  }
  Info step(State& state, Rng& rng) const {
    state[0] = problem_->intercept_mean + problem_->intercept_sd * draw_normal(rng);
    for (std::size_t i = 1; i < quantities_.coefficients; ++i)
      state[i] = problem_->slope_sd * draw_normal(rng);
    return {};
  }
  [[nodiscard]] std::size_t quantities() const { return quantities_.all; }
  static void read(const State& state, std::span<double> out) {
    std::copy(state.begin(), state.end(), out.begin());
  }

 private:
  const GlmProblem* problem_;
  GlmQuantities quantities_;
};

}  // namespace

ChainRun draw_glm(const GlmProblem& problem, const DriverOptions& options, const Conversation& conversation) {
  const GlmTarget target(problem);
  if (!target.latent() && target.most_n() < static_cast<double>(target.width()))
    return run_chains(PriorKernel(problem), options, conversation);
  return run_chains(GlmKernel(problem, target, conversation), options, conversation);
}

double slope_error(const GlmLaw& law, double centre, double spread) {
  if (!(spread > 1e-6)) return 0;
  const MeanFunction function(law);
  const double normal = target_moments(function, centre, spread).mean[1].value;
  double uniform = 0;
  constexpr int kPoints = 64;
  for (int i = 0; i < kPoints; ++i) {
    const double x = std::sqrt(3.0) * (2 * (i + 0.5) / kPoints - 1);
    uniform += x * function.at(centre + spread * x).mean / kPoints;
  }
  double worst = std::abs(uniform / normal - 1);
  for (const double p : {0.1, 0.5, 0.9}) {
    const double up = std::sqrt((1 - p) / p);  // with probability p, else down
    const double down = -1 / up;
    const double coin = p * up * function.at(centre + spread * up).mean +
                        (1 - p) * down * function.at(centre + spread * down).mean;
    worst = std::max(worst, std::abs(coin / normal - 1));
  }
  return worst;
}

}  // namespace postern::infer
