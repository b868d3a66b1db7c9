#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "postern/core/rational.hpp"
#include "postern/core/units.hpp"

namespace postern::owner {

// Composition and conversion, proven in accounting.md beside the source. Exact rationals in, exact or
// rounded up out.

[[nodiscard]] Rational sequential(std::span<const Rational> costs);

/// The cost of one part's release, to a record that enters or leaves the part and to one that changes inside
/// it.
struct PartCost {
  Rational add;
  Rational replace;
};
/// Parts declared by a schema column. add-remove: the maximum; replace-one: accounting.md, "Parallel".
[[nodiscard]] Rational parallel_add_remove(std::span<const PartCost> parts);
[[nodiscard]] Rational parallel_replace_one(std::span<const PartCost> parts);
/// Parts whose membership is public and fixed (a record cannot change part).
[[nodiscard]] Rational parallel_fixed_membership(std::span<const PartCost> parts);

/// A group of k records: eps -> k eps, rho -> k^2 rho. Also the cost to a person with at most k records.
[[nodiscard]] Rational group(Currency currency, const Rational& cost, std::int64_t k);

/// A person with at most `at_most` records over all parts, added or removed: k max eps_i, k^2 max rho_i.
[[nodiscard]] Rational parallel_person(Currency currency, std::span<const PartCost> parts,
                                       std::int64_t at_most);
/// A part that keeps at most `at_most` records of one person.
struct BoundedPart {
  PartCost cost;
  std::int64_t at_most = 1;
};
/// A person in at most `spread` parts, added or removed: the sum of the `spread` largest k_i eps_i (k_i^2
/// rho_i).
[[nodiscard]] Rational parallel_person_bounded(Currency currency, std::span<const BoundedPart> parts,
                                               std::size_t spread);

// Conversions, always upwards.
[[nodiscard]] Rational rho_of_epsilon(const Rational& epsilon);  ///< eps^2 / 2, exact
[[nodiscard]] Rational rho_of_exponential_mechanism(
    const Rational& epsilon);  ///< eps^2 / 8; bounded range only
/// A delta for which rho-zCDP implies (epsilon, delta)-DP, by the best alpha found (Canonne et al. 2020,
/// Prop. 12). Never below the infimum over alpha; within 1e-11 of it, relatively, down to e^-4096, where it
/// stops.
[[nodiscard]] Rational delta_of_rho(const Rational& rho, const Rational& epsilon);
/// An epsilon for which rho-zCDP implies (epsilon, delta)-DP: the least, rounded up to a whole nano-unit.
[[nodiscard]] Rational epsilon_of_rho(const Rational& rho, const Rational& delta);

}  // namespace postern::owner
