#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/model/kinds/principal_component.hpp"

#include "posterior/draw_summary.hpp"

namespace postern::infer {

/// What is told of the axes of d columns.
struct AxesToReport {
  std::vector<std::string> columns;  ///< d of them
  std::size_t components = 1;        ///< axes whose loadings are told
  std::size_t others = 0;            ///< of `drawn`'s quantities, the first of those that stay: n
  DrawKind kind = DrawKind::markov;
  bool learned = false;  ///< is the prior one whose scales are learned?
};

/// A posterior of shares of the variance and of variances along the principal axes; then n where it is
/// private, the loadings of the axes that are asked for, and how far each axis is from its mean; of two
/// columns also its direction. `axes` has one eigensystem a draw, chain by chain. An axis has no sign: every
/// draw is turned towards the mean axis, and how well that is known is told in notes.
[[nodiscard]] Posterior report_axes(const Posterior& drawn, const std::vector<model::PrincipalAxes>& axes,
                                    const AxesToReport& what, const InferOptions& options);

}  // namespace postern::infer
