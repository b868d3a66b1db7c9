#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/kinds/principal_component.hpp"
#include "postern/model/model.hpp"
#include "postern/model/statistic/score_table.hpp"

namespace postern::model {

/// The direction in which two numbers vary most, of which nothing is published but the candidate that suits
/// the records best, privately chosen (Williams and McSherry 2010, section 4.3). Records are Normal(0, theta
/// theta' + sigma^2 I), theta ~ Normal(0, variance I); candidates are points theta, of some lengths in
/// directions that are equally far apart.
struct PrincipalAxis {
  std::vector<std::string> columns;  ///< two
  Rational sigma;                    ///< the standard deviation across the axis, which is known
  std::int64_t angles = 24;          ///< in half a turn
  std::vector<Rational> radii;       ///< lengths of candidates
  Rational power = 1;                ///< of the likelihood that scores them
  Rational variance;                 ///< of the prior of each coordinate of theta
};
[[nodiscard]] const Kind& kind_of(const PrincipalAxis& model);

/// The candidates: radii one after the other, directions from that of the first column on. theta and -theta
/// are the same.
[[nodiscard]] std::vector<std::array<Rational, 2>> axis_candidates(const PrincipalAxis& model);
/// The table by which records are scored: logarithms of their density, centred over the candidates and
/// clamped, in units of 2^-20. @pre the study was checked
[[nodiscard]] ScoreTable axis_scores(const PrincipalAxis& model, const Schema& schema);

/// Those of theta theta' + sigma^2 I.
[[nodiscard]] PrincipalAxes axes_at(double theta_1, double theta_2, double sigma);

}  // namespace postern::model
