// The reader of release documents against hostile bytes: as they come, and put into canonical form, so that
// mutations get past the check of form. Accepted means: written back byte for byte, safe to verify and
// to turn into noise laws. Refused means one of our own errors. Anything else is a finding.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "postern/core/error.hpp"
#include "postern/release/document.hpp"
#include "postern/release/noise_law.hpp"
#include "postern/release/verify.hpp"

#include "../lib/release/src/json_reader.hpp"
#include "harness.hpp"

namespace {

using namespace postern;
using fuzz::demand;

void use(const release::Release& read) {
  demand(!release::verify(read).empty());
  for (const auto& measured : read.blocks) {
    if (measured.block.noise.kind == model::NoiseKind::exponential) continue;  // a choice adds no noise
    const auto law = release::noise_law(measured.block.noise);
    demand(std::isfinite(release::variance(law)));
    demand(std::isfinite(release::radius(law, 50)));
    for (const auto value : measured.values) {
      demand(std::isfinite(release::log_pmf(law, static_cast<double>(value))));
    }
  }
}

/// Whether the work is done; a refusal is one of our own.
template <class Work>
bool accepts(const Work& work) {
  try {
    work();
    return true;
  } catch (const Error& error) {
    demand(error_name(error.code()).substr(0, 8) == "release-");
    return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::optional<postern::JsonValue> tree;
  const bool json = accepts([&] { tree = release::parse_json(bytes); });
  const std::string canonical = json ? postern::to_canonical(*tree) + "\n" : std::string();
  // What is not JSON, or not in the one form, must be refused as a document too; asking costs a second
  // reading, so not every input is asked.
  if (bytes != canonical && size % 4 == 0) {
    demand(!accepts([&] { static_cast<void>(release::parse_document(bytes)); }));
  }
  if (!json) return 0;
  accepts([&] {
    const release::Release parsed = release::parse_document(canonical);
    demand(release::to_document(parsed) == canonical);
    use(parsed);
  });
  return 0;
}
