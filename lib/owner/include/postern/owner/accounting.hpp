#pragma once

#include <cstdint>
#include <span>

#include "postern/core/rational.hpp"
#include "postern/core/units.hpp"

namespace postern::owner {

// Composition and conversion (privacy-core 4 with amendments A1, A2). Exact rationals in, exact or rounded up out.

[[nodiscard]] Rational sequential(std::span<const Rational> costs);

/// The cost of one part's release, to a record that enters or leaves the part and to one that changes inside it.
struct PartCost {
  Rational add;
  Rational replace;
};
/// Parts declared by a schema column. add-remove: the maximum; replace-one: amendment A2.
[[nodiscard]] Rational parallel_add_remove(std::span<const PartCost> parts);
[[nodiscard]] Rational parallel_replace_one(std::span<const PartCost> parts);
/// Parts whose membership is public and fixed (a record cannot change part).
[[nodiscard]] Rational parallel_fixed_membership(std::span<const PartCost> parts);

/// A group of k records: eps -> k eps, rho -> k^2 rho.
[[nodiscard]] Rational group(Currency currency, const Rational& cost, std::int64_t k);

// Conversions, always upwards.
[[nodiscard]] Rational rho_of_epsilon(const Rational& epsilon);                ///< eps^2 / 2, exact
[[nodiscard]] Rational rho_of_exponential_mechanism(const Rational& epsilon);  ///< eps^2 / 8; bounded range only
/// Least delta (rounded up) such that rho-zCDP implies (epsilon, delta)-DP, by the best alpha found (CKS 2020, Prop. 12).
[[nodiscard]] Rational delta_of_rho(const Rational& rho, const Rational& epsilon);
/// Least epsilon (rounded up) for a given delta.
[[nodiscard]] Rational epsilon_of_rho(const Rational& rho, const Rational& delta);

}  // namespace postern::owner
