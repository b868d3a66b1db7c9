#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "postern/release/record_set.hpp"

namespace postern::infer {

/// The counts behind what one record set's releases tell of its table. Returns how many values they tell.
std::size_t tell_latent(const release::RecordSet& set, std::span<const std::int64_t> counts,
                        std::span<double> latent);

}  // namespace postern::infer
