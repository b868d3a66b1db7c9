#include "draws.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

/// Names in quotes, eight at most.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 8;
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < kMost; ++i) out += (i > 0 ? ", '" : "'") + names[i] + "'";
  if (names.size() > kMost) out += " and " + std::to_string(names.size() - kMost) + " more";
  return out;
}

double beyond(double mean, double variance) {
  const double sd = std::sqrt(std::max(variance, 1e-300));
  return normal_cdf((-1 - mean) / sd) + normal_cdf((mean - 1) / sd);
}

std::string hidden_text(const std::vector<std::string>& names) {
  return "noise hides how " + listed(names) + (names.size() == 1 ? " varies" : " vary") +
         " when the other columns are held: what depends on that (small variances, correlations near 1 or "
         "-1) "
         "comes from the prior as much as from the release. A larger budget, fewer columns or bounds nearer "
         "to the data would show it";
}

std::string clamped_text(const std::vector<std::string>& names, double most) {
  return "if " + listed(names) + (names.size() == 1 ? " is" : " are") + " normal, up to " +
         std::to_string(std::lround(std::ceil(100 * most))) +
         " % of the records lie beyond the declared bounds, where they were clamped: variances and "
         "covariances are then too small and their intervals too narrow. Declare wider bounds for the next "
         "release; skewed columns that lie inside their bounds look the same, and are not clamped";
}

/// Where noise hides much, chains of eight columns forget a draw only after some 60 steps.
DriverOptions spaced(DriverOptions options, const ScatterProblem& problem) {
  constexpr double kApart = 0.5;  // autocorrelation times between draws: 4 x 1000 count for some 2000
  if (!problem.stated) options.apart = kApart;
  return options;
}

}  // namespace

NormalDraws::NormalDraws(const NormalColumns& columns, const DriverOptions& options,
                         const Conversation& conversation)
    : columns_(&columns),
      at_(columns.problem),
      draws_(options.draws),
      run_(draw_learned_covariance(columns.problem, spaced(options, columns.problem), conversation)) {}

MomentsFit NormalDraws::fit() const {
  const std::size_t d = columns_->names.size();
  const double all = static_cast<double>(draws_) * static_cast<double>(run_.chains.draws.size());
  MomentsFit out;
  for (std::size_t j = 0; j < d; ++j) {
    double outside = 0;
    double variance = 0;
    for (std::size_t c = 0; c < run_.chains.draws.size(); ++c) {
      for (std::size_t i = 0; i < draws_; ++i) {
        const double of_one = value(c, model::packed_place(j, j, d), i);
        variance += of_one / all;
        outside += beyond(value(c, at_.means + j, i), of_one) / all;
      }
    }
    out.outside.push_back(outside);
    const double step = columns_->steps[j];
    out.rounding = std::max(out.rounding, step * step / 12 / variance);
  }
  return out;
}

void NormalDraws::tell_hidden(Posterior& out) const {
  if (run_.hidden.empty() || columns_->problem.stated) return;
  std::vector<std::string> hidden;
  for (const std::size_t column : run_.hidden) hidden.push_back(columns_->names[column]);
  if (4 * hidden.size() >= 3 * columns_->names.size()) {
    out.warnings.push_back({"columns-hidden", hidden_text(hidden)});
  } else {
    out.notes.push_back(hidden_text(hidden));
  }
}

void NormalDraws::tell_clamped(Posterior& out) const {
  constexpr double kFarTooMany = 0.15;  // more than skewness alone makes of columns inside their bounds
  const std::vector<double> outside = fit().outside;
  std::vector<std::string> clamped;
  for (std::size_t j = 0; j < outside.size(); ++j) {
    if (outside[j] > kManyOutside) clamped.push_back(columns_->names[j]);
  }
  if (clamped.empty()) return;
  const double most = *std::max_element(outside.begin(), outside.end());
  if (most > kFarTooMany) {
    out.warnings.push_back({"columns-clamped", clamped_text(clamped, most)});
  } else {
    out.notes.push_back(clamped_text(clamped, most));
  }
}

void NormalDraws::tell(Posterior& out) const {
  tell_hidden(out);
  tell_clamped(out);
}

ChainRun NormalDraws::in_study_units() && {
  const std::size_t d = columns_->names.size();
  ChainRun out = std::move(run_.chains);
  for (std::vector<double>& chain : out.draws) {
    const auto first = chain.begin() + static_cast<std::ptrdiff_t>(at_.means * draws_);
    std::rotate(chain.begin(), first, first + static_cast<std::ptrdiff_t>(d * draws_));
    const auto scale = [&](std::size_t quantity, double centre, double half) {
      for (std::size_t i = 0; i < draws_; ++i)
        chain[quantity * draws_ + i] = centre + half * chain[quantity * draws_ + i];
    };
    for (std::size_t i = 0; i < d; ++i) {
      const model::RegressionScale& own = columns_->scales[i];
      scale(i, own.centre, own.half);
      for (std::size_t j = i; j < d; ++j)
        scale(d + model::packed_place(i, j, d), 0, own.half * columns_->scales[j].half);
    }
  }
  return out;
}

ChainRun NormalDraws::scaled_covariance() && {
  ChainRun out = std::move(run_.chains);
  for (std::vector<double>& chain : out.draws)
    chain.erase(chain.begin() + static_cast<std::ptrdiff_t>(at_.means * draws_),
                chain.begin() + static_cast<std::ptrdiff_t>(at_.total * draws_));
  return out;
}

}  // namespace postern::infer
