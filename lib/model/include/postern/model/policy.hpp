#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "postern/core/units.hpp"

namespace postern::model {

/// Which datasets count as neighbours. Replace-one: n is public. Add-remove: n is private.
enum class Adjacency { add_remove, replace_one };
[[nodiscard]] std::string_view to_text(Adjacency adjacency);  // "add-remove", "replace-one"
[[nodiscard]] std::optional<Adjacency> parse_adjacency(std::string_view text);

/// Whose presence is hidden: one record, or all the (at most k) records of one person.
struct RecordUnit {};
struct PersonUnit {
  std::string column;
  std::int64_t at_most = 1;
};
using Unit = std::variant<RecordUnit, PersonUnit>;
[[nodiscard]] std::int64_t records_per_unit(const Unit& unit);

struct PrivacyPolicy {
  Unit unit;
  Adjacency adjacency = Adjacency::replace_one;
  Currency currency = Currency::pure;
  std::optional<std::int64_t> n_at_most;  ///< declared with add-remove, and only then
};

/// A unit larger than a record needs add-remove (docs/decisions/people.md); add-remove needs n_at_most.
void check_policy(const PrivacyPolicy& policy);

}  // namespace postern::model
