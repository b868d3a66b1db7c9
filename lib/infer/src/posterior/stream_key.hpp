#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postern::infer {

/// The seed that an analysis of these releases draws from: independent draws for other releases under the
/// same `seed`, in whatever order they are named. The prior is not part of it, so that answers under several
/// priors share their random numbers.
[[nodiscard]] std::uint64_t stream_key(std::uint64_t seed, std::vector<std::string> release_ids);

/// The same for one of several engines, by its name.
[[nodiscard]] std::uint64_t stream_key(std::uint64_t seed, std::string_view engine);

}  // namespace postern::infer
