#include "postern/infer/glm/chain.hpp"

#include <algorithm>

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
  // Where noise hides nearly everything chains are slow, and there is little to be found out: a warning of
  // few effective draws is worth more than minutes.
  DriverOptions bounded = options;
  bounded.most_warmup = std::min<std::size_t>(options.most_warmup, 3000);
  bounded.most_thinning = std::min<std::size_t>(options.most_thinning, 8);
  return run_chains(GlmKernel(problem, target, conversation), bounded, conversation);
}

}  // namespace postern::infer
