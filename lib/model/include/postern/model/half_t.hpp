#pragma once

#include <cstddef>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/model.hpp"
#include "postern/model/node.hpp"

namespace postern::model {

/// A prior of a covariance matrix that leaves each standard deviation and every correlation open (Huang and
/// Wand 2013): standard deviations are half-t with `degrees` degrees and scale `spread`, in halves of their
/// columns' ranges, and with two degrees every correlation is uniform. Means are Normal(middle of the range,
/// Sigma / weight).
struct HalfT {
  Rational weight = Rational(1, 10);
  Rational degrees = 2;
  Rational spread = Rational(1, 4);
};

/// Of so many columns. Degrees are such that neither equal shares of the variance nor one that has nearly all
/// are favoured where noise hides the small variances: 2 d - 6, and at least 2
/// (components_coverage_test.cpp).
[[nodiscard]] HalfT usual_half_t(std::size_t columns);
/// What is left out is as usual.
[[nodiscard]] HalfT read_half_t(Node& named, std::size_t columns);
[[nodiscard]] JsonValue write_half_t(const HalfT& prior);
/// Throws bad_prior, at its place in a study.
void check_half_t(const HalfT& prior);
[[nodiscard]] PriorWords half_t_words();
[[nodiscard]] HalfT half_t(const std::vector<Rational>& numbers);
/// As half_t_words names them: a prior worth so many times as much.
[[nodiscard]] std::vector<Rational> scaled_half_t(const HalfT& prior, const Rational& factor);
/// The mean of an entry of the diagonal scale, in squares of the halves of ranges.
[[nodiscard]] Rational mean_scale(const HalfT& prior);

}  // namespace postern::model
