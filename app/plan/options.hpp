#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "budget.hpp"

namespace postern::app {

struct PlanOptions {
  std::string study;
  std::optional<std::string> select;
  BudgetOptions budget;
  std::optional<std::int64_t> n;
  std::optional<std::string> at;
  std::optional<std::int64_t> simulations;
  std::optional<std::int64_t> seconds;
  std::int64_t seed = 1;
  std::int64_t threads = 0;
};

}  // namespace postern::app
