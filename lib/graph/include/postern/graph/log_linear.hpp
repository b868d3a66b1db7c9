#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "postern/graph/elimination.hpp"
#include "postern/graph/propagation.hpp"
#include "postern/graph/variables.hpp"

namespace postern::graph {

/// The family p(x) = exp(sum_f theta_f(x_f) - A(theta)) of laws on discrete variables, one table of
/// parameters a clique: a Markov network. Variables in no clique are uniform. Cliques may repeat, hold one
/// another, be empty, and list their variables in any order; tables are row-major in that order.
///
/// theta is one flat array, table after table. Minus infinity is a structural zero: a cell that cannot be.
/// Immutable; what changes is in a Workspace, one a thread.
class LogLinear {
 public:
  /// A law of the family, and room to work on it.
  struct Workspace {
    double log_partition = 0;       ///< A
    std::vector<double> marginals;  ///< mu: the probability of each cell, laid out as theta
    Propagation::Workspace propagation;
    Propagation::Tangent tangent;  ///< made when first needed
  };

  /// Fails: bad_value for a clique that names a variable twice or one that is none; engine_limit if the
  /// tables of the junction tree need more than `most_bytes`, naming the three largest by `names`.
  LogLinear(Sizes sizes, std::vector<Variables> cliques, double most_bytes = kPropagationBytes,
            std::span<const std::string> names = {});
  [[nodiscard]] const Sizes& sizes() const { return propagation_->tree().sizes(); }
  [[nodiscard]] const std::vector<Variables>& cliques() const { return cliques_; }
  /// Where the table of a clique begins in theta; of one past the last, how long theta is.
  [[nodiscard]] std::size_t offset(std::size_t clique) const { return propagation_->offset(clique); }
  [[nodiscard]] std::size_t dimension() const { return propagation_->dimension(); }
  [[nodiscard]] const Forecast& forecast() const { return forecast_; }
  [[nodiscard]] const Propagation& propagation() const { return *propagation_; }
  [[nodiscard]] Workspace workspace() const;

  /// Moves the workspace to the law of theta: A and mu. Returns A; minus infinity if zeros leave no state,
  /// and then nothing else may be asked.
  double evaluate(std::span<const double> theta, Workspace& work) const;
  /// A alone. The workspace is then at no law.
  double log_partition(std::span<const double> theta, Workspace& work) const;
  /// out = Cov[T] v, T the indicators of all cells, under the workspace's law: how mu moves as theta moves
  /// along v. @pre v is finite.
  void covariance_times(std::span<const double> v, Workspace& work, std::span<double> out) const;
  /// The largest sum of theta over the cells of one state. The workspace is then at no law.
  double maximum(std::span<const double> theta, Workspace& work) const;

 private:
  std::vector<Variables> cliques_;
  Forecast forecast_;
  std::optional<Propagation> propagation_;
};

/// theta . mu, where a cell without mass counts nothing, also at minus infinity. Minus infinity if a cell
/// that cannot be has mass.
[[nodiscard]] double expected_log_weight(std::span<const double> theta, std::span<const double> marginals);
/// Of the workspace's law, in nats. @pre work is at theta.
[[nodiscard]] double entropy(std::span<const double> theta, const LogLinear::Workspace& work);

/// KL(p || q) in nats, exactly: infinite if q gives no mass to what p can be. The two may have different
/// cliques. Fails: bad_value if their variables differ, or one has no states; engine_limit if the cliques of
/// both together are too much for one junction tree.
[[nodiscard]] double kl_divergence(const LogLinear& p, std::span<const double> theta_p, const LogLinear& q,
                                   std::span<const double> theta_q);

/// How well a law predicts records that it was not learnt from.
struct HeldOut {
  double mean_log_probability = 0;  ///< minus infinity if one of them cannot be
  double standard_error = 0;        ///< of that mean
  double uniform = 0;               ///< what the uniform law would score
};
/// Records in columns, one a variable. @pre work is at theta; there is at least one record, levels are in
/// range.
[[nodiscard]] HeldOut held_out(const LogLinear& model, std::span<const double> theta,
                               const LogLinear::Workspace& work,
                               std::span<const std::vector<std::uint32_t>> columns);

}  // namespace postern::graph
