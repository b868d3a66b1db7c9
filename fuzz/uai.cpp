// The reader of competition files against hostile text: a network that is written and read again as it is, or
// one of our own errors.

#include "postern/graph/uai.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "postern/core/error.hpp"

#include "harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace postern;
  // Bytes as text: both are one byte a character.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const graph::UaiNetwork network = graph::parse_uai(text);
    fuzz::demand(graph::parse_uai(graph::write_uai(network)) == network);
    double cells = 1;
    for (const std::uint32_t levels : network.sizes) cells *= levels;
    if (cells < 10'000) (void)graph::uai_marginals(network, {});
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
