#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "postern/graph/log_linear.hpp"

#include "markov/posterior/lower_map.hpp"
#include "markov/posterior/setting.hpp"

namespace postern::infer::markov {

/// The density of potentials and sampling errors together (posterior.md): t normal, z standard normal, and
///     y = n mu(Q t) + sqrt(n0) Q L z + noise,
/// L L^T = Q^T Cov Q at the mode. n0 is n, or its estimate where n is latent and one more coordinate. Chains
/// move in coordinates x in which the density is about standard normal.
class CorrelatedTarget {
 public:
  struct Workspace {
    graph::LogLinear::Workspace law;
    std::vector<double> q;      ///< t, z and n, where they are
    std::vector<double> theta;  ///< Q t
    std::vector<double> slopes, moved, error, reduced, scratch, inner;
  };

  /// The setting must outlive this.
  explicit CorrelatedTarget(const PosteriorSetting& setting);
  [[nodiscard]] std::size_t size() const { return 2 * rank_ + (setting_->latent ? 1 : 0); }
  [[nodiscard]] Workspace workspace() const;
  /// The log density at x, up to a constant, and its slope. Minus infinity where n is out of bounds.
  double gradient(std::span<const double> x, Workspace& work, std::span<double> slope) const;
  /// theta and n at x, in the workspace.
  double place(std::span<const double> x, Workspace& work) const;
  /// What the noisy values were added to at x, in their order.
  void tell(std::span<const double> x, Workspace& work, std::span<double> latent) const;

 private:
  void whiten();
  [[nodiscard]] double noise(double n, Workspace& work) const;

  const PosteriorSetting* setting_;
  std::size_t rank_;
  double root_total_;
  LowerMap root_;      ///< L
  LowerMap whitened_;  ///< its transpose times x is q less the centre
};

}  // namespace postern::infer::markov
