#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "postern/core/rational.hpp"
#include "postern/owner/entropy.hpp"

namespace postern::owner {

/// Exact draw of i with P(i) ~ exp(scale * score_i), integer scores (privacy-core 3.1 with amendment A11).
class ExponentialSampler {
 public:
  ExponentialSampler(std::span<const std::int64_t> scores, const Rational& scale);
  ExponentialSampler(ExponentialSampler&&) noexcept;
  ~ExponentialSampler();
  [[nodiscard]] std::size_t draw(Entropy& entropy) const;

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace postern::owner
