#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "postern/core/stop.hpp"

namespace postern::infer {

/// Progress of many chains together, told by one thread at a time, about a hundred times in all.
class ChainProgress {
 public:
  ChainProgress(const Conversation& conversation, std::string_view phase, std::size_t steps);
  void passed();

 private:
  struct Shared {
    std::atomic<std::size_t> done = 0;
    std::mutex talking;
  };
  const Conversation* conversation_;
  std::string_view phase_;
  std::size_t steps_;
  std::size_t stride_;
  std::unique_ptr<Shared> shared_;
};

/// What a stage of warm-up says about the chains.
struct StageVerdict {
  bool settled = false;  ///< at least 20 autocorrelation times long, and R-hat below 1.05
  double time = 1;       ///< the longest autocorrelation time
};
/// `draws[chain][quantity * length + i]`. A quantity that never changes says nothing.
[[nodiscard]] StageVerdict judge_stage(const std::vector<std::vector<double>>& draws, std::size_t quantities,
                                       std::size_t length);

/// The quantities that warm-up watches: all of up to 32, else 32 spread evenly, first and last among them.
[[nodiscard]] std::vector<std::size_t> watched_quantities(std::size_t quantities);
[[nodiscard]] std::vector<std::size_t> all_quantities(std::size_t quantities);

}  // namespace postern::infer
