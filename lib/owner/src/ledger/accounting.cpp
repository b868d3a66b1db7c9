#include "postern/owner/accounting.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "postern/core/error.hpp"

namespace postern::owner {
namespace {

template <class Cost>
Rational largest(std::span<const PartCost> parts, Cost cost) {
  Rational most = 0;
  for (const PartCost& part : parts) most = std::max(most, Rational(cost(part)));
  return most;
}

}  // namespace

Rational sequential(std::span<const Rational> costs) {
  Rational total = 0;
  for (const Rational& cost : costs) total += cost;
  return total;
}

Rational parallel_add_remove(std::span<const PartCost> parts) {
  return largest(parts, [](const PartCost& part) { return part.add; });
}

Rational parallel_replace_one(std::span<const PartCost> parts) {
  // The record changes inside a part, or leaves one part for another: both are looked at (accounting.md).
  if (parts.size() < 2) return parallel_fixed_membership(parts);
  Rational first = 0;
  Rational second = 0;
  for (const PartCost& part : parts) {
    if (part.add > first) {
      second = first;
      first = part.add;
    } else {
      second = std::max(second, part.add);
    }
  }
  return std::max(parallel_fixed_membership(parts), Rational(first + second));
}

Rational parallel_fixed_membership(std::span<const PartCost> parts) {
  return largest(parts, [](const PartCost& part) { return part.replace; });
}

Rational group(Currency currency, const Rational& cost, std::int64_t k) {
  if (k < 1) throw Error(ErrorCode::bad_value, {"a group has at least one record"});
  const Rational size(static_cast<long>(k));
  return currency == Currency::pure ? Rational(size * cost) : Rational(size * size * cost);
}

Rational parallel_person(Currency currency, std::span<const PartCost> parts, std::int64_t at_most) {
  // Spread over parts, d_i records in part i: sum d_i eps_i <= k max eps_i; sum d_i^2 rho_i <= (sum d_i)^2
  // max rho_i.
  return group(currency, parallel_add_remove(parts), at_most);
}

Rational parallel_person_bounded(Currency currency, std::span<const BoundedPart> parts, std::size_t spread) {
  std::vector<Rational> costs;
  costs.reserve(parts.size());
  for (const BoundedPart& part : parts) costs.push_back(group(currency, part.cost.add, part.at_most));
  std::sort(costs.begin(), costs.end(), std::greater<>());
  if (costs.size() > spread) costs.resize(spread);
  return sequential(costs);
}

Rational rho_of_epsilon(const Rational& epsilon) { return epsilon * epsilon / 2; }
Rational rho_of_exponential_mechanism(const Rational& epsilon) { return epsilon * epsilon / 8; }

}  // namespace postern::owner
