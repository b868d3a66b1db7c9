#pragma once

#include <cstddef>

#include "postern/model/measurement.hpp"

namespace postern::model {

// What a document can hold of noise, and within which samplers and engines are tested. A plan past it is
// refused before anything is charged, a document past it when it is read.
inline constexpr int kLeastNoiseExponent = -18;  ///< 10^-18 <= lambda, sigma2, scale <= 10^30
inline constexpr int kMostNoiseExponent = 30;
inline constexpr std::size_t kMostNoiseDigits = 60;  ///< of a numerator or a denominator

/// Does a noise parameter lie in 10^-18..10^30?
[[nodiscard]] bool noise_in_range(const Rational& parameter);

/// The noise itself or, where its parameter has more digits than a document holds, one a little wider (by
/// less than 10^-20 of it) that has not. Throws bad_budget for noise out of range.
/// Privacy: never less noise than given.
[[nodiscard]] Noise writable_noise(const Noise& noise);

}  // namespace postern::model
