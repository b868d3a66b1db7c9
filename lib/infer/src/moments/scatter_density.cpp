#include "postern/infer/moments/chain.hpp"

#include "moments/scatter_start.hpp"

namespace postern::infer {

struct ScatterDensity::Parts {
  explicit Parts(const ScatterProblem& given) : problem(given), target(problem), work(target.workspace()) {
    start = find_scatter_start(target, {}).q;
  }
  ScatterProblem problem;
  ScatterTarget target;
  std::vector<double> start;
  ScatterWorkspace work;
};

ScatterDensity::ScatterDensity(const ScatterProblem& problem) : parts_(std::make_unique<Parts>(problem)) {}
ScatterDensity::~ScatterDensity() = default;
const std::vector<double>& ScatterDensity::start() const { return parts_->start; }
double ScatterDensity::log_density(const std::vector<double>& unknowns) const {
  return parts_->target.log_density(unknowns, parts_->work);
}
double ScatterDensity::gradient(const std::vector<double>& unknowns, std::vector<double>& slope) const {
  slope.resize(unknowns.size());
  return parts_->target.gradient(unknowns, parts_->work, slope);
}
double ScatterDensity::log_density_again(const std::vector<double>& unknowns) const {
  return parts_->target.log_density_again(unknowns, parts_->work);
}
std::size_t ScatterDensity::first_slope_scale() const {
  return static_cast<std::size_t>(parts_->target.places().log_lambda);
}

}  // namespace postern::infer
