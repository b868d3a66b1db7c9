#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/glm/chain.hpp"

#include "learned_start.hpp"
#include "moments/learned_run.hpp"
#include "slope_error.hpp"

namespace postern::infer {
namespace {

class GlmReport {
 public:
  GlmReport(const LearnedGlmTarget& target, const GlmProblem& problem) : target_(&target), at_(problem) {}
  [[nodiscard]] std::size_t size() const { return at_.all; }
  void operator()(const ScatterWorkspace& work, Rng& /*rng*/, std::span<double> values) const {
    const int d = target_->places().features;
    const ScatterState& state = work.state;
    read_coefficients(*target_, work, values.first(at_.coefficients));
    if (target_->map().latent()) values[at_.total] = std::round(state.n);
    FewNumbers theta(d + 1);
    theta << 0, work.coefficients;
    const auto size = static_cast<std::size_t>(d) + 1;
    values[at_.error] = slope_error(target_->glm(), target_->mean_function(), target_->feature_sums(state),
                                    state.n, {work.predictor.data(), size}, {theta.data(), size});
    for (int a = 0; a < d; ++a)
      values[at_.deviations + target_->order().column[static_cast<std::size_t>(a)]] =
          std::sqrt(state.scatter(a, a) / state.n);
    values[at_.deviations + static_cast<std::size_t>(d)] = work.target_sd;
    values[at_.half_scale] = target_->log_scale_ratio(work, 0.5);
    values[at_.twice_scale] = target_->log_scale_ratio(work, 2);
  }

 private:
  const LearnedGlmTarget* target_;
  LearnedGlmQuantities at_;
};

}  // namespace

LearnedGlmQuantities::LearnedGlmQuantities(const GlmProblem& problem) {
  const GlmQuantities plain(problem);
  coefficients = plain.coefficients;
  total = plain.total;
  error = plain.error;
  deviations = error + 1;
  half_scale = deviations + problem.sums.features + 1;
  twice_scale = half_scale + 1;
  all = twice_scale + 1;
}

MomentRun draw_learned_glm(const GlmProblem& problem, const DriverOptions& options,
                           const Conversation& conversation) {
  LearnedGlmTarget target(problem);
  ScatterStart start = find_learned_glm_start(target, conversation);
  DriverOptions bounded = options;
  bounded.most_warmup = std::min<std::size_t>(options.most_warmup, 3000);
  bounded.most_thinning = std::min<std::size_t>(options.most_thinning, 4);
  return run_learned(target, std::move(start), GlmReport(target, problem),
                     LearnedGlmQuantities(problem).coefficients, bounded, conversation);
}

struct LearnedGlmDensity::Parts {
  explicit Parts(const GlmProblem& problem) : target(problem), work(target.workspace()) {
    start = find_learned_glm_start(target, {}).q;
  }
  LearnedGlmTarget target;
  ScatterWorkspace work;
  std::vector<double> start;
};

LearnedGlmDensity::LearnedGlmDensity(const GlmProblem& problem) : parts_(std::make_unique<Parts>(problem)) {}
LearnedGlmDensity::~LearnedGlmDensity() = default;
const std::vector<double>& LearnedGlmDensity::start() const { return parts_->start; }
double LearnedGlmDensity::log_density(const std::vector<double>& unknowns) const {
  return parts_->target.log_density(unknowns, parts_->work);
}
double LearnedGlmDensity::gradient(const std::vector<double>& unknowns, std::vector<double>& slope) const {
  slope.resize(unknowns.size());
  return parts_->target.gradient(unknowns, parts_->work, slope);
}
std::vector<double> LearnedGlmDensity::coefficients(const std::vector<double>& unknowns) const {
  std::vector<double> out(static_cast<std::size_t>(parts_->target.places().features) + 1);
  (void)parts_->target.fill(unknowns, parts_->work);
  read_coefficients(parts_->target, parts_->work, out);
  return out;
}

}  // namespace postern::infer
