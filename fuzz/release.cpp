// The reader of release documents against hostile bytes: as they come, and put into canonical form first, so
// that mutations get past the check of form. Accepted means: written back byte for byte, safe to verify and
// to turn into noise laws. Refused means one of our own errors. Anything else is a finding.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "postern/core/error.hpp"
#include "postern/release/document.hpp"
#include "postern/release/noise_law.hpp"
#include "postern/release/verify.hpp"

#include "../lib/release/src/json_reader.hpp"

namespace {

using namespace postern;

void demand(bool holds) {
  if (!holds) __builtin_trap();
}

void use(const release::Release& read) {
  demand(!release::verify(read).empty());
  for (const auto& measured : read.blocks) {
    const auto law = release::noise_law(measured.block.noise);
    demand(std::isfinite(release::variance(law)));
    demand(std::isfinite(release::radius(law, 50)));
    for (const auto value : measured.values) {
      demand(std::isfinite(release::log_pmf(law, static_cast<double>(value))));
    }
  }
}

template <class Work>
void refuse_only_as_ours(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    demand(error_name(error.code()).substr(0, 8) == "release-");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto read = [](std::string_view text) {
    const release::Release parsed = release::parse_document(text);
    demand(release::to_document(parsed) == text);
    use(parsed);
  };
  refuse_only_as_ours([&] { read(bytes); });
  refuse_only_as_ours([&] { read(release::to_canonical(release::parse_json(bytes)) + "\n"); });
  return 0;
}
