#pragma once

#include <cstddef>
#include <memory>

#include "postern/infer/predictor.hpp"
#include "postern/infer/record_sampler.hpp"

namespace postern::infer {

/// Any column of a table given others: cells are summed and divided.
[[nodiscard]] std::unique_ptr<const Predictor> table_predictor(const Basis& basis, std::size_t target);
[[nodiscard]] std::unique_ptr<const RecordSampler> table_record_sampler(const model::Study& study);

}  // namespace postern::infer
