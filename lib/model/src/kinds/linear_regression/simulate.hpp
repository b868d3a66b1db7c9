#pragma once

#include <memory>

#include "postern/model/kinds/linear_regression.hpp"

namespace postern::model {

[[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate_regression(const LinearRegression& model,
                                                                          const Schema& schema,
                                                                          std::int64_t n,
                                                                          const Assumed& assumed, Rng& rng);

}  // namespace postern::model
