#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace postern::infer {

/// Who looks at the latent values behind what was released, while chains run.
struct LatentWatch {
  std::size_t size = 0;    ///< how many latent values there are; 0: nobody looks
  std::size_t stride = 1;  ///< looks at one kept draw of so many
  std::function<void(std::size_t chain, std::span<const double> latent)> see;
  std::function<void()> begin = {};  ///< forgets chains that were not long enough

  [[nodiscard]] bool wants(std::size_t draw) const { return size > 0 && draw % stride == 0; }
};

}  // namespace postern::infer
