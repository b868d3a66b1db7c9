#include "postern/infer/kinds/number/exact/posterior.hpp"

#include <array>
#include <optional>

#include "postern/core/error.hpp"
#include "postern/infer/kinds/table/exact/count_posterior.hpp"

#include "binomial.hpp"
#include "kinds/number/exact/theta/theta_posterior.hpp"

namespace postern::infer {
namespace {

constexpr CountForecast kMostOfTable{0x1p28,
                                     1e10};  ///< bytes and steps, of one that stands for binomial records

void check(const NumberProblem& problem) {
  if (problem.parameters != 1 || problem.squares || !problem.square_sums.empty())
    throw Error(ErrorCode::engine_unsuitable,
                {"the exact engine knows families of numbers with one parameter"});
  if (!problem.inside_counts.empty()) {
    throw Error(
        ErrorCode::engine_unsuitable,
        {"the exact engine knows sums of one number, and here the records inside are counted as well; "
         "take --engine auto or augment"});
  }
  if (problem.law == nullptr || problem.number.levels() == 0)
    throw Error(ErrorCode::internal, {"a problem of numbers without a law"});
}

}  // namespace

/// Binomial records as a table of trials where that is quick, everything else on a grid.
struct NumberPosterior::Ways {
  std::optional<CountPosterior> table;
  std::int64_t trials = 1;
  std::optional<ThetaPosterior> grid;
};

NumberPosterior::NumberPosterior(std::vector<NumberProblem> problems, int threads) {
  if (problems.empty()) throw Error(ErrorCode::internal, {"a posterior of no record set"});
  for (const NumberProblem& problem : problems) check(problem);
  auto ways = std::make_unique<Ways>();
  const std::optional<CountProblem> trials =
      problems.size() == 1 ? as_trials(problems.front()) : std::optional<CountProblem>();
  if (trials) ways->table = CountPosterior::within(kMostOfTable, *trials, threads);
  if (ways->table) {
    ways->trials = static_cast<std::int64_t>(problems.front().number.levels()) - 1;
  } else {
    ways->grid.emplace(std::move(problems), threads);
  }
  ways_ = std::move(ways);
}
NumberPosterior::NumberPosterior(NumberProblem problem, int threads)
    : NumberPosterior(std::vector<NumberProblem>{std::move(problem)}, threads) {}
NumberPosterior::NumberPosterior(NumberPosterior&&) noexcept = default;
NumberPosterior& NumberPosterior::operator=(NumberPosterior&&) noexcept = default;
NumberPosterior::~NumberPosterior() = default;

double NumberPosterior::log_evidence() const {
  return ways_->table ? ways_->table->log_evidence() : ways_->grid->log_evidence();
}
double NumberPosterior::mean() const { return ways_->table ? ways_->table->mean(0) : ways_->grid->mean(); }
double NumberPosterior::sd() const { return ways_->table ? ways_->table->sd(0) : ways_->grid->sd(); }
double NumberPosterior::cdf(double theta) const {
  if (ways_->table) return ways_->table->cdf(0, theta);
  return ways_->grid->density().cdf(ways_->grid->line().place(theta));
}
double NumberPosterior::quantile(double p) const {
  if (ways_->table) return ways_->table->quantile(0, p);
  return ways_->grid->line().theta(ways_->grid->density().quantile(p));
}

NumberPosterior::TotalSummary NumberPosterior::total(std::size_t set) const {
  if (ways_->grid) return {ways_->grid->set(set).total_mean(), ways_->grid->set(set).total_sd()};
  const auto [mean, sd] = ways_->table->total();
  return {mean / static_cast<double>(ways_->trials), sd / static_cast<double>(ways_->trials)};
}
double NumberPosterior::total_quantile(double p, std::size_t set) const {
  if (ways_->grid) return ways_->grid->set(set).total_quantile(p);
  return ways_->table->total_quantile(p) / static_cast<double>(ways_->trials);
}

double NumberPosterior::draw(std::span<std::int64_t> totals, Rng& rng) const {
  if (ways_->table) {
    std::array<double, 2> theta{};
    std::array<std::int64_t, 2> counts{};
    const std::int64_t trials = ways_->table->draw(theta, counts, rng);
    if (!totals.empty()) totals.front() = trials / ways_->trials;
    return theta.front();
  }
  const double z = ways_->grid->density().draw(rng);
  for (std::size_t s = 0; s < totals.size(); ++s) totals[s] = ways_->grid->set(s).draw_total(z, rng);
  return ways_->grid->line().theta(z);
}

}  // namespace postern::infer
