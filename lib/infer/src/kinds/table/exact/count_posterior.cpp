#include "postern/infer/kinds/table/exact/count_posterior.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <optional>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/kinds/table/problem.hpp"
#include "postern/infer/kinds/total.hpp"

#include "cell_mixture.hpp"
#include "count_plan.hpp"
#include "count_tree.hpp"
#include "log_odds_law.hpp"

namespace postern::infer {
namespace {

constexpr double kCut = 26;               ///< nats: windows may cut away e^-26 = 5e-12 of the posterior
constexpr double kTolerance = 2e-11;      ///< of the posterior, misplaced by transforms
constexpr double kMostOperations = 3e13;  ///< about an hour of one core
constexpr double kMostExcess = 600;       ///< nats between numbers of one message; a double holds 700

void refuse(const CountForecast& forecast, std::size_t memory_limit) {
  throw Error(
      ErrorCode::engine_limit,
      {"the exact posterior would need about ", quote(human_bytes(forecast.bytes), 24), " of memory and ",
       public_number(std::llround(std::min(forecast.operations, 1e18) / 1e9)), "e9 steps; the limit is ",
       quote(human_bytes(static_cast<double>(memory_limit)), 24),
       " and 30000e9 steps. The noise is wide for so many records: raise the memory limit, merge cells, or "
       "release with a larger budget"});
}

void check_plan(const CountPlan& plan, std::size_t memory_limit) {
  const CountForecast forecast = plan.forecast();
  if (!(forecast.bytes <= static_cast<double>(memory_limit)) || !(forecast.operations <= kMostOperations)) {
    refuse(forecast, memory_limit);
  }
  if (plan.tilts.excess > kMostExcess) {
    throw Error(ErrorCode::engine_limit, {"the number of records is private and so vague under this noise "
                                          "that the exact posterior does not fit "
                                          "the range of a double; declare a smaller bound on n, merge cells, "
                                          "or release with a larger budget"});
  }
}

/// Nats from Chernoff's bound, where windows are cut, down to the posterior, as they mostly are. A known
/// total is one of many that the bound is for.
double likely_depth(const CountProblem& problem) {
  if (std::holds_alternative<KnownTotal>(problem.total)) return 12;
  return 4 + std::log(static_cast<double>(problem.multiple));
}
CountPlan first_plan(const CountProblem& problem) { return {problem, kCut + likely_depth(problem)}; }

/// Builds, looks at what the tree itself says about its cuts and its transforms, and builds again with more
/// care where that is not good enough: totals in a valley of the product law make both weigh more.
CountTree make_tree(const CountProblem& problem, CountPlan plan, std::size_t memory_limit, int threads) {
  double room = likely_depth(problem);
  Care care = Care::of_largest;
  for (int attempt = 0;; ++attempt) {
    check_plan(plan, memory_limit);
    if (care == Care::of_each) plan.care = care;
    CountTree tree(std::move(plan), threads);
    const double height = tree.plan().tilts.height;
    const double depth = height - tree.log_evidence();
    const bool shallow = tree.cells() == 1 || depth < room + 1e-12 * std::abs(height);
    const bool sharp = tree.transform_error() <= kTolerance;
    if (shallow && sharp) return tree;
    if (attempt == 3 || std::isnan(depth)) {
      throw Error(ErrorCode::engine_limit, {"the exact posterior lies in a valley too deep for double "
                                            "precision: the released values contradict "
                                            "each other or n; look at the releases"});
    }
    if (!sharp) care = Care::of_each;
    if (!shallow) room = std::clamp(depth + 8, room, 570.0);
    plan = CountPlan(problem, kCut + room);
  }
}

}  // namespace

struct CountPosterior::Tree {
  /// @pre `plan` is the first_plan.
  Tree(const CountProblem& problem, CountPlan plan, std::size_t memory_limit, int threads)
      : alpha(problem.alpha),
        tree(make_tree(problem, std::move(plan), memory_limit, threads)),
        marginals_(alpha.size()),
        odds_(alpha.size()) {}

  std::vector<double> alpha;
  CountTree tree;

  /// Marginals, made when first asked for: draws do not need them. Of two cells each by itself, of more all
  /// at once.
  [[nodiscard]] const CellPosterior& marginal(std::size_t cell) const {
    const bool pair = alpha.size() == 2;
    std::call_once(made_[pair ? cell : 0], [&] { pair ? make_of_pair(cell) : make_marginals(); });
    return marginals_[cell];
  }
  /// theta of two cells without them, where there is a quick way; otherwise where the mixture is rough.
  struct Odds {
    const LogOddsLaw* law = nullptr;
    std::size_t side = 0;
  };
  [[nodiscard]] Odds odds_of(std::size_t cell) const {
    std::call_once(tried_, [this] { try_pair(); });
    if (pair_) return {&*pair_, cell};
    static_cast<void>(marginal(cell));
    return {odds_[cell] ? &*odds_[cell] : nullptr, 0};
  }

 private:
  void make_marginals() const;
  void make_of_pair(std::size_t cell) const;
  void make_marginal(std::size_t cell, const Message& outside, AlphaSplit split) const;
  void try_pair() const;
  mutable std::array<std::once_flag, 2> made_;
  mutable std::vector<CellPosterior> marginals_;
  mutable std::once_flag tried_;
  mutable std::optional<LogOddsLaw> pair_;
  mutable std::vector<std::optional<LogOddsLaw>> odds_;
};

void CountPosterior::Tree::try_pair() const {
  const CountPlan& plan = tree.plan();
  const auto seen = [](const Cell& cell) { return cell.noise().seen(); };
  if (alpha.size() != 2 || plan.total.known()) return;
  if (std::all_of(plan.cells.begin(), plan.cells.end(), seen))
    pair_ = LogOddsLaw::of_pair(tree, {alpha[0], alpha[1]});
}

void CountPosterior::Tree::make_marginals() const {
  const std::size_t cells = alpha.size();
  // alpha of the others as a sum, not as a difference: it may be tiny beside the cell's own.
  std::vector<double> below(cells + 1, 0.0);
  std::vector<double> above(cells + 1, 0.0);
  for (std::size_t k = 0; k < cells; ++k) below[k + 1] = below[k] + alpha[k];
  for (std::size_t k = cells; k-- > 0;) above[k] = above[k + 1] + alpha[k];

  tree.visit_outside([&](std::size_t k, const Message& outside) {
    const AlphaSplit split{alpha[k], below[k] + above[k + 1]};
    make_marginal(k, outside, split);
  });
}

void CountPosterior::Tree::make_of_pair(std::size_t cell) const {
  make_marginal(cell, tree.outside_of_pair(cell), {alpha[cell], alpha[1 - cell]});
}

void CountPosterior::Tree::make_marginal(std::size_t cell, const Message& outside, AlphaSplit split) const {
  marginals_[cell] = make_cell_posterior(tree.leaf(cell), outside, split, tree);
  if (!marginals_[cell].rough) return;
  odds_[cell] = LogOddsLaw::of_cell(tree, tree.leaf(cell), outside, split);
  constexpr std::size_t kMostCounts = 200'000;
  if (!odds_[cell] && tree.leaf(cell).weight.size() <= kMostCounts) {
    marginals_[cell] = make_cell_posterior(tree.leaf(cell), outside, split, tree, Size::generous);
  }
}

CountForecast CountPosterior::forecast(const CountProblem& problem) {
  check_problem(problem);
  return first_plan(problem).forecast();
}

CountPosterior::CountPosterior(const CountProblem& problem, std::size_t memory_limit, int threads) {
  check_problem(problem);
  tree_ = std::make_unique<const Tree>(problem, first_plan(problem), memory_limit, threads);
}
CountPosterior::CountPosterior(std::unique_ptr<const Tree> tree) : tree_(std::move(tree)) {}

std::optional<CountPosterior> CountPosterior::within(const CountForecast& most, const CountProblem& problem,
                                                     int threads) {
  check_problem(problem);
  CountPlan plan = first_plan(problem);
  const CountForecast needs = plan.forecast();
  if (!(needs.operations <= most.operations && needs.bytes <= most.bytes)) return std::nullopt;
  const auto memory = static_cast<std::size_t>(most.bytes);
  return CountPosterior(std::make_unique<const Tree>(problem, std::move(plan), memory, threads));
}
CountPosterior::CountPosterior(CountPosterior&&) noexcept = default;
CountPosterior& CountPosterior::operator=(CountPosterior&&) noexcept = default;
CountPosterior::~CountPosterior() = default;

std::size_t CountPosterior::cells() const { return tree_->alpha.size(); }
double CountPosterior::log_evidence() const {
  double sum = tree_->tree.log_evidence();
  for (const Cell& cell : tree_->tree.plan().cells) sum += cell.log_constant();
  return sum;
}
double CountPosterior::mean(std::size_t cell) const {
  if (const auto [law, side] = tree_->odds_of(cell); law != nullptr) return law->mean(side);
  return tree_->marginal(cell).theta.mean();
}
double CountPosterior::sd(std::size_t cell) const {
  if (const auto [law, side] = tree_->odds_of(cell); law != nullptr) return law->sd();
  return tree_->marginal(cell).theta.sd();
}
double CountPosterior::cdf(std::size_t cell, double theta) const {
  if (const auto [law, side] = tree_->odds_of(cell); law != nullptr) return law->cdf(side, theta);
  return tree_->marginal(cell).theta.cdf(theta);
}
double CountPosterior::quantile(std::size_t cell, double p) const {
  if (const auto [law, side] = tree_->odds_of(cell); law != nullptr) return law->quantile(side, p);
  return tree_->marginal(cell).theta.quantile(p);
}

double CountPosterior::expected_count(std::size_t cell) const {
  const Message& count = tree_->marginal(cell).count;
  double sum = 0;
  for (std::size_t i = 0; i < count.weight.size(); ++i) sum += static_cast<double>(i) * count.weight[i];
  return static_cast<double>(count.lo) + sum;
}

double CountPosterior::count_probability(std::size_t cell, std::int64_t s) const {
  return tree_->marginal(cell).count.at(s);
}

CountPosterior::TotalSummary CountPosterior::total() const {
  const Message& totals = tree_->tree.totals();
  const auto pitch = static_cast<double>(tree_->tree.pitch());
  double mean = 0;
  for (std::size_t i = 0; i < totals.weight.size(); ++i) mean += static_cast<double>(i) * totals.weight[i];
  double variance = 0;
  for (std::size_t i = 0; i < totals.weight.size(); ++i) {
    const double d = static_cast<double>(i) - mean;
    variance += d * d * totals.weight[i];
  }
  return {pitch * (static_cast<double>(totals.lo) + mean), pitch * std::sqrt(variance)};
}

double CountPosterior::total_probability(std::int64_t n) const {
  const std::int64_t pitch = tree_->tree.pitch();
  return n % pitch == 0 ? tree_->tree.totals().at(n / pitch) : 0;
}

double CountPosterior::total_quantile(double p) const {
  const Message& totals = tree_->tree.totals();
  const std::int64_t pitch = tree_->tree.pitch();
  double below = 0;
  for (std::size_t i = 0; i < totals.weight.size(); ++i) {
    below += totals.weight[i];
    if (below >= p) return static_cast<double>(pitch * (totals.lo + static_cast<std::int64_t>(i)));
  }
  return static_cast<double>(pitch * totals.window().hi);
}

std::int64_t CountPosterior::draw(std::span<double> theta, std::span<std::int64_t> s, Rng& rng) const {
  const std::int64_t n = tree_->tree.draw(s, rng);
  const std::vector<double>& alpha = tree_->alpha;
  for (std::size_t k = 0; k < alpha.size(); ++k) theta[k] = alpha[k] + static_cast<double>(s[k]);
  draw_dirichlet(theta, theta, rng);
  return n;
}

}  // namespace postern::infer
