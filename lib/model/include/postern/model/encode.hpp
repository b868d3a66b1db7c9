#pragma once

#include <cstdint>
#include <memory>

#include "postern/model/column.hpp"
#include "postern/model/field.hpp"

namespace postern::model {

/// The code of a dropped record.
inline constexpr std::uint32_t kDropped = 0xFFFFFFFF;

/// The per-record map of one column: field -> level. Total: every input has an answer, no input has an error.
/// Numbers are read exactly (decimal text is never passed through a double): clamp, round half up to the grid,
/// then cut (privacy-core 2.8).
class Encoder {
 public:
  explicit Encoder(const Column& column);
  Encoder(Encoder&&) noexcept;
  Encoder& operator=(Encoder&&) noexcept;
  ~Encoder();
  [[nodiscard]] std::uint32_t encode(Field field) const;     ///< a level, or kDropped
  [[nodiscard]] std::uint32_t missing() const;               ///< what an absent field becomes

 private:
  struct Tables;
  std::unique_ptr<const Tables> tables_;
};

}  // namespace postern::model
