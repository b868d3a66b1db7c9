// Declarations of releases made elsewhere against hostile text: a declaration becomes a document that is read
// back byte for byte, and values of usable laws; or it is one of our own errors. Text that looks like
// JSON is read as such a document.

#include "postern/release/foreign.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "postern/core/error.hpp"
#include "postern/model/study_file.hpp"
#include "postern/release/document.hpp"

#include "harness.hpp"

namespace {

using namespace postern;
using fuzz::demand;

void use(const release::Release& declared) {
  const std::string document = release::to_document(declared);
  demand(release::to_document(release::parse_any_document(document)) == document);
  demand(!release::unverified_claim(declared).empty());
  for (const model::ForeignBlock& block : declared.foreign->blocks) {
    const release::NoiseLaw law = release::noise_law(block);
    demand(std::isfinite(release::variance(law)));
    for (const auto& value : block.values) {
      if (value) demand(std::isfinite(release::log_pmf(law, value->get_d())));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    if (text.starts_with('{')) {
      const release::Release read = release::parse_any_document(text);
      if (read.foreign) use(read);
    } else {
      model::ForeignRelease declared = model::parse_foreign(text, "foreign.toml");
      use(release::foreign_release(std::move(declared.study), std::move(declared.foreign)));
    }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
