#include "postern/infer/network/star_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

#include "network/check_problem.hpp"
#include "star_parts.hpp"
#include "star_plan.hpp"

namespace postern::infer {
namespace {

StarView view_of(const NetworkProblem& problem) {
  check_network_problem(problem);
  std::optional<StarView> star = StarView::of(problem);
  if (!star) {
    throw Error(ErrorCode::bad_value,
                {"the exact posterior of a network needs one root that is the only parent of all others"});
  }
  return *star;
}

}  // namespace

bool StarPosterior::fits(const NetworkProblem& problem) {
  check_network_problem(problem);
  return !problem.learned && problem.coefficients.empty() && problem.choices.empty() &&
         problem.tables.empty() && problem.sets.empty() && StarView::of(problem).has_value();
}

CountForecast StarPosterior::forecast(const NetworkProblem& problem) {
  const StarView star = view_of(problem);
  return plan_star(star, 1).forecast(star);
}

StarPosterior::Parts::Parts(const NetworkProblem& asked, std::size_t limit, int thread_count)
    : problem(asked),
      star(view_of(problem)),
      threads(thread_count),
      memory_limit(limit),
      tree(make_star_tree(star, plan_star(star, thread_count), limit, thread_count)) {
  first_cell.push_back(0);
  for (const NetworkFamily& family : problem.families)
    first_cell.push_back(first_cell.back() + family.alpha.size());
}

StarPosterior::StarPosterior(const NetworkProblem& problem, std::size_t memory_limit, int threads)
    : parts_(std::make_unique<const Parts>(problem, memory_limit, threads)) {}
StarPosterior::StarPosterior(StarPosterior&&) noexcept = default;
StarPosterior& StarPosterior::operator=(StarPosterior&&) noexcept = default;
StarPosterior::~StarPosterior() = default;

std::size_t StarPosterior::cells() const { return parts_->first_cell.back(); }
double StarPosterior::log_evidence() const { return parts_->tree.log_evidence(); }
double StarPosterior::mean(std::size_t cell) const { return parts_->moments()[cell].mean; }
double StarPosterior::sd(std::size_t cell) const { return parts_->moments()[cell].sd; }

CountPosterior::TotalSummary StarPosterior::total() const {
  const Message& totals = parts_->tree.totals();
  double mean = 0;
  for (std::size_t i = 0; i < totals.weight.size(); ++i) mean += static_cast<double>(i) * totals.weight[i];
  double variance = 0;
  for (std::size_t i = 0; i < totals.weight.size(); ++i) {
    const double d = static_cast<double>(i) - mean;
    variance += d * d * totals.weight[i];
  }
  return {static_cast<double>(totals.lo) + mean, std::sqrt(variance)};
}

double StarPosterior::total_probability(std::int64_t n) const { return parts_->tree.totals().at(n); }

double StarPosterior::total_quantile(double p) const {
  const Message& totals = parts_->tree.totals();
  double below = 0;
  for (std::size_t i = 0; i < totals.weight.size(); ++i) {
    below += totals.weight[i];
    if (below >= p) return static_cast<double>(totals.lo + static_cast<std::int64_t>(i));
  }
  return static_cast<double>(totals.window().hi);
}

std::int64_t StarPosterior::draw(std::span<double> theta, Rng& rng, std::span<double> told) const {
  const Parts& parts = *parts_;
  const StarView& star = parts.star;
  std::vector<std::int64_t> classes(star.classes());
  const std::int64_t n = parts.tree.draw(classes, rng);
  const std::vector<double>& alpha = star.root_family().alpha;
  double* const root = theta.data() + parts.first_cell[star.root];
  for (std::size_t c = 0; c < classes.size(); ++c) root[c] = alpha[c] + static_cast<double>(classes[c]);
  draw_dirichlet({root, classes.size()}, {root, classes.size()}, rng);
  if (!told.empty()) std::copy(classes.begin(), classes.end(), told.begin() + (root - theta.data()));
  std::vector<std::int64_t> counts;
  for (std::size_t leaf = 0; leaf < star.leaves.size(); ++leaf) {
    const std::size_t levels = parts.problem.sizes[star.leaves[leaf]];
    double* here = theta.data() + parts.first_cell[star.leaves[leaf]];
    const double* prior = parts.problem.families[star.leaves[leaf]].alpha.data();
    for (std::size_t c = 0; c < classes.size(); ++c, here += levels, prior += levels) {
      counts.assign(levels, 0);  // what nobody saw keeps its prior
      if (const RowMessage* row = parts.tree.row(leaf, c)) row->draw(classes[c], counts, rng);
      for (std::size_t k = 0; k < levels; ++k) here[k] = prior[k] + static_cast<double>(counts[k]);
      draw_dirichlet({here, levels}, {here, levels}, rng);
      if (!told.empty()) std::copy(counts.begin(), counts.end(), told.begin() + (here - theta.data()));
    }
  }
  return n;
}

std::vector<double> StarPosterior::log_joint(std::span<const std::int32_t> record) const {
  const Parts& parts = *parts_;
  const StarView& star = parts.star;
  if (record.size() != parts.problem.sizes.size())
    throw Error(ErrorCode::bad_value, {"a record needs one level a variable, -1 where it is missing"});
  std::vector<double> out(star.classes());
  for (std::size_t c = 0; c < out.size(); ++c) {
    const std::vector<double>& share = parts.tree.law(c).share;
    std::vector<double> terms(share.size());
    std::transform(share.begin(), share.end(), terms.begin(), [](double x) { return std::log(x); });
    for (std::size_t leaf = 0; leaf < star.leaves.size(); ++leaf) {
      const std::int32_t level = record[star.leaves[leaf]];
      if (level < 0) continue;
      if (static_cast<std::uint32_t>(level) >= parts.problem.sizes[star.leaves[leaf]])
        throw Error(ErrorCode::bad_value, {"a record has a level that its variable has not"});
      const auto k = static_cast<std::size_t>(level);
      const std::span<const double> logs = parts.log_share(leaf, c, k);
      const CptRow row = star.row(leaf, c);
      const double prior = logs.empty() ? std::log(row.alpha[k] / sum_of_alpha(row)) : 0;
      for (std::size_t i = 0; i < terms.size(); ++i) terms[i] += logs.empty() ? prior : logs[i];
    }
    out[c] = log_sum_exp(terms);
  }
  return out;
}

double StarPosterior::log_predictive(std::span<const std::int32_t> record) const {
  const std::vector<double> joint = log_joint(record);
  const std::int32_t own = record[parts_->star.root];
  if (own < 0) return log_sum_exp(joint);
  if (static_cast<std::size_t>(own) >= joint.size())
    throw Error(ErrorCode::bad_value, {"a record has a class that the root has not"});
  return joint[static_cast<std::size_t>(own)];
}

std::vector<double> StarPosterior::class_probabilities(std::span<const std::int32_t> record) const {
  std::vector<double> out = log_joint(record);
  const double whole = log_sum_exp(out);
  for (double& x : out) x = std::exp(x - whole);
  return out;
}

}  // namespace postern::infer
