#include "markov/posterior/setting.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <variant>

#include "postern/core/error.hpp"

#include "markov/na_map.hpp"

namespace postern::infer::markov {
namespace {

MarkovOptions estimator_options(const MarkovPosteriorOptions& options) {
  MarkovOptions out;
  out.prior_variance = options.prior_variance;
  out.most_bytes = options.most_bytes;
  out.names = options.names;
  return out;
}

Measurements measured(const MarkovProblem& problem, const MarkovPosteriorOptions& options) {
  if (!problem.impossible.empty())
    throw Error(ErrorCode::unsupported, {"the posterior of a Markov network takes no impossible cells"});
  Measurements data(problem, estimator_options(options));
  const double rank = identifiable_rank(*data.model);
  if (rank > static_cast<double>(kMostPotentials)) {
    throw Error(ErrorCode::engine_limit,
                {"this Markov network has more than ", public_number(static_cast<long long>(kMostPotentials)),
                 " free potentials, which is the most that chains take; engine map gives its mode"});
  }
  return data;
}

/// Empirical Bayes, with the weight of two potentials of variance 1: where the tables tell nothing about the
/// size of potentials, the estimate alone would be 0, and intervals would be points.
double shrunken_variance(const MarkovFit& fit) {
  constexpr double kWeight = 2;
  double squares = 0;
  for (const double theta : fit.theta) squares += theta * theta;
  const double determined = squares / *fit.prior_variance;
  return (squares + kWeight) / (determined + kWeight);
}

/// The counts of the model's cells among public records.
std::vector<double> public_cells(const MarkovProblem& problem, const Measurements& data) {
  std::vector<double> out(data.dimension());
  for (const PublicTable& table : problem.public_tables) {
    const std::vector<std::size_t> cells = cells_of_table(data, table.variables);
    if (cells.size() != table.counts.size())
      throw Error(ErrorCode::bad_value, {"a public table does not have one count for each of its cells"});
    for (std::size_t i = 0; i < cells.size(); ++i) out[cells[i]] += table.counts[i];
  }
  return out;
}

}  // namespace

PosteriorSetting::PosteriorSetting(const MarkovProblem& problem, const MarkovPosteriorOptions& options,
                                   const Conversation& conversation)
    : data(measured(problem, options)),
      basis(*data.model),
      known(basis.rank()),
      mode(basis.rank()),
      covariance(basis.rank()) {
  basis.reduce(public_cells(problem, data), known);
  if (!problem.public_tables.empty())
    known_total = std::accumulate(problem.public_tables.front().counts.begin(),
                                  problem.public_tables.front().counts.end(), 0.0);
  if (const auto* bound = std::get_if<LatentTotal>(&problem.total)) {
    latent = true;
    most = static_cast<double>(bound->at_most);
    log_slope = bound->log_slope;
    total = std::clamp(data.total, std::min(1.0, most), most);
  } else {
    total = most = data.total;
  }
  std::vector<double> theta(basis.dimension());
  prior_variance = options.prior_variance.value_or(1.0);
  if (data.total > 0 && !data.values.empty()) {
    MarkovOptions how = estimator_options(options);
    if (!how.prior_variance)
      how.prior_variance = shrunken_variance(na_map(data, how, conversation, kForIntervals));
    prior_variance = *how.prior_variance;
    theta = na_map(data, how, conversation).theta;
  }
  basis.reduce(theta, mode);
  basis.expand(mode, theta);
  graph::LogLinear::Workspace work = data.model->workspace();
  data.model->evaluate(theta, work);
  std::vector<double> unit(basis.rank());
  std::vector<double> moved(basis.dimension());
  for (std::size_t j = 0; j < basis.rank(); ++j) {
    conversation.check();
    unit[j] = 1;
    basis.expand(unit, theta);
    unit[j] = 0;
    data.model->covariance_times(theta, work, moved);
    basis.reduce(moved, std::span(covariance.row(j), basis.rank()));
  }
}

Matrix factor_of_covariance(const Matrix& covariance) {
  double largest = 1e-300;
  for (std::size_t i = 0; i < covariance.size(); ++i) largest = std::max(largest, covariance(i, i));
  for (double more = 1e-13 * largest;; more *= 100) {
    if (!(more < 1e6 * largest))
      throw Error(ErrorCode::internal, {"a covariance of a Markov network holds a value that is no number"});
    Matrix out = covariance;
    for (std::size_t i = 0; i < out.size(); ++i) out(i, i) += more;
    if (!factorise(out, out.size())) continue;
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (std::size_t j = i + 1; j < out.size(); ++j) out(i, j) = 0;
    }
    return out;
  }
}

}  // namespace postern::infer::markov
