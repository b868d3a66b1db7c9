// The study reader against hostile text: a study that passes every check, or one of our own errors.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "postern/core/error.hpp"
#include "postern/model/encode.hpp"
#include "postern/model/study_file.hpp"

#include "harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace postern;
  // Bytes as text: both are one byte a character.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const model::Study study = model::parse_study(text, "study.toml");
    model::check_study(study);
    for (const model::Column& column : study.schema.columns()) {
      const std::uint32_t level = model::Encoder(column).encode(model::Field(text.substr(0, 40)));
      fuzz::demand(level < column.levels() || level == model::kDropped);
    }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
