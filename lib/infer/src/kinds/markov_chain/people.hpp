#pragma once

#include <memory>

#include "postern/infer/record_sampler.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// People who follow the chain from the first time that the study declares, one record a time.
[[nodiscard]] std::unique_ptr<const RecordSampler> chain_people(const model::Study& study);

}  // namespace postern::infer
