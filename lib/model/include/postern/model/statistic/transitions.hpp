#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "postern/model/statistic.hpp"

namespace postern::model {

// Statistics of people whose records are states in time (transitions.md beside the source: what a person can
// change). A person is at the state that all records of a time agree on; times with records that disagree do
// not count.

/// How often people go from a state to a state within one step of time, row-major by the state they leave, in
/// units of 1/parts. A person with more than `at_most` transitions has them weighed down so that they count
/// as that many.
struct Transitions {
  std::string time;
  std::string state;
  std::int64_t at_most = 1;
  std::int64_t parts = 1;
  std::optional<std::uint32_t> idle;  ///< a state: to stay in it is no transition
};
[[nodiscard]] const StatisticKind& kind_of(const Transitions& transitions);

/// How many people begin in each state, in units of 1/parts.
struct Starts {
  std::string time;
  std::string state;
  std::int64_t parts = 1;
};
[[nodiscard]] const StatisticKind& kind_of(const Starts& starts);

inline constexpr std::int64_t kMostParts = 1'000'000;

}  // namespace postern::model
