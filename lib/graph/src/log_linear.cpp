#include "postern/graph/log_linear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::graph {
namespace {

void check_clique(const Variables& clique, std::size_t variables) {
  for (const std::uint32_t v : clique) {
    if (v >= variables) {
      throw Error(ErrorCode::bad_value,
                  {"a clique names variable ", public_number(v), " of a network that has ",
                   public_number(static_cast<long long>(variables))});
    }
  }
  if (sorted(clique).size() != clique.size())
    throw Error(ErrorCode::bad_value, {"a clique names a variable twice"});
}

bool same_cliques(const LogLinear& p, const LogLinear& q) { return p.cliques() == q.cliques(); }

/// KL where both have the same cliques.
double kl_of(const LogLinear& model, std::span<const double> theta_p, std::span<const double> theta_q) {
  LogLinear::Workspace work = model.workspace();
  const double log_q = model.log_partition(theta_q, work);
  const double log_p = model.evaluate(theta_p, work);
  if (log_p == kMinusInfinity || log_q == kMinusInfinity)
    throw Error(ErrorCode::bad_value, {"a Markov network whose zeros leave no state has no divergence"});
  double sum = 0;
  for (std::size_t i = 0; i < theta_p.size(); ++i) {
    if (work.marginals[i] > 0) sum += work.marginals[i] * (theta_p[i] - theta_q[i]);
  }
  return std::max(sum - log_p + log_q, 0.0);
}

}  // namespace

LogLinear::LogLinear(Sizes sizes, std::vector<Variables> cliques, double most_bytes,
                     std::span<const std::string> names)
    : cliques_(std::move(cliques)) {
  check_sizes(sizes);
  UndirectedGraph graph(sizes.size());
  double cells = 0;
  for (const Variables& clique : cliques_) {
    check_clique(clique, sizes.size());
    graph.connect_all(clique);
    cells += cells_of(clique, sizes);
  }
  const Elimination elimination = cheapest_elimination(graph, sizes);
  forecast_ = graph::forecast(elimination, sizes);
  forecast_.bytes += 8 * (forecast_.cells + 3 * cells);  // derivatives, theta, mu
  check_forecast(forecast_, most_bytes, sizes, names);
  propagation_.emplace(JunctionTree(elimination, sizes), cliques_);
}

LogLinear::Workspace LogLinear::workspace() const {
  return {0, std::vector<double>(dimension()), propagation_->workspace(), {}};
}

double LogLinear::evaluate(std::span<const double> theta, Workspace& work) const {
  work.log_partition = propagation_->collect(theta, {}, work.propagation);
  if (work.log_partition == kMinusInfinity) return kMinusInfinity;
  propagation_->distribute(work.propagation);
  propagation_->read_factors(work.propagation, work.marginals);
  return work.log_partition;
}

double LogLinear::log_partition(std::span<const double> theta, Workspace& work) const {
  return propagation_->collect(theta, {}, work.propagation);
}

void LogLinear::covariance_times(std::span<const double> v, Workspace& work, std::span<double> out) const {
  if (work.tangent.cells.empty()) work.tangent = propagation_->tangent();
  propagation_->derive(v, work.propagation, work.tangent, out);
}

double LogLinear::maximum(std::span<const double> theta, Workspace& work) const {
  std::vector<std::uint32_t> state(sizes().size());
  return propagation_->maximise(theta, {}, work.propagation, state);
}

double expected_log_weight(std::span<const double> theta, std::span<const double> marginals) {
  double sum = 0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    if (marginals[i] > 0) sum += marginals[i] * theta[i];
  }
  return sum;
}

double entropy(std::span<const double> theta, const LogLinear::Workspace& work) {
  return work.log_partition - expected_log_weight(theta, work.marginals);
}

double kl_divergence(const LogLinear& p, std::span<const double> theta_p, const LogLinear& q,
                     std::span<const double> theta_q) {
  if (p.sizes() != q.sizes())
    throw Error(ErrorCode::bad_value, {"two Markov networks of different variables have no divergence"});
  if (same_cliques(p, q)) return kl_of(p, theta_p, theta_q);
  std::vector<Variables> cliques = p.cliques();
  cliques.insert(cliques.end(), q.cliques().begin(), q.cliques().end());
  const LogLinear both(p.sizes(), std::move(cliques));
  std::vector<double> wide_p(theta_p.begin(), theta_p.end());
  wide_p.resize(both.dimension());
  std::vector<double> wide_q(theta_p.size());
  wide_q.insert(wide_q.end(), theta_q.begin(), theta_q.end());
  return kl_of(both, wide_p, wide_q);
}

HeldOut held_out(const LogLinear& model, std::span<const double> theta, const LogLinear::Workspace& work,
                 std::span<const std::vector<std::uint32_t>> columns) {
  const std::size_t records = columns.empty() ? 0 : columns.front().size();
  double mean = 0;
  double squares = 0;
  for (std::size_t i = 0; i < records; ++i) {
    double log = -work.log_partition;
    for (std::size_t f = 0; f < model.cliques().size(); ++f) {
      std::size_t cell = 0;
      for (const std::uint32_t v : model.cliques()[f]) cell = cell * model.sizes()[v] + columns[v][i];
      log += theta[model.offset(f) + cell];
    }
    const double from = log - mean;
    mean += from / static_cast<double>(i + 1);
    squares += from * (log - mean);
  }
  HeldOut out{mean, 0, 0};
  for (const std::uint32_t size : model.sizes()) out.uniform -= std::log(size);
  if (std::isnan(mean)) out.mean_log_probability = kMinusInfinity;
  const auto n = static_cast<double>(records);
  out.standard_error = records < 2 || !std::isfinite(squares) ? std::numeric_limits<double>::infinity()
                                                              : std::sqrt(squares / (n - 1) / n);
  return out;
}

}  // namespace postern::graph
