// The reader of network files against hostile text: a network that is written and read again as it is, or one
// of our own errors.

#include "postern/graph/bif.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "postern/core/error.hpp"
#include "postern/graph/network.hpp"

#include "harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace postern;
  // Bytes as text: both are one byte a character.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  graph::BifNetwork network;
  try {
    network = graph::parse_bif(text);
  } catch (const Error&) {
    return 0;
  }
  graph::check_tables(network.dag(), network.sizes(), network.tables());
  std::size_t cells = 0;
  for (const graph::BifVariable& variable : network.variables) cells += variable.table.size();
  if (cells < 10'000) fuzz::demand(graph::parse_bif(graph::write_bif(network)) == network);
  return 0;
}
