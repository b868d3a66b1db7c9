#include "stream_key.hpp"

#include <algorithm>

#include "postern/core/sha256.hpp"

namespace postern::infer {
namespace {

/// `text` has no newline but those that end its lines, so that different lists are different texts.
std::uint64_t key_of(std::uint64_t seed, const std::string& text) {
  const Digest digest = sha256("postern streams\n" + std::to_string(seed) + '\n' + text);
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < sizeof key; ++i) key = key << 8 | digest[i];
  return key;
}

}  // namespace

std::uint64_t stream_key(std::uint64_t seed, std::vector<std::string> release_ids) {
  std::sort(release_ids.begin(), release_ids.end());
  std::string text = "releases\n";
  for (const std::string& id : release_ids) text += id + '\n';
  return key_of(seed, text);
}

std::uint64_t stream_key(std::uint64_t seed, std::string_view engine) {
  return key_of(seed, "engine " + std::string(engine) + '\n');
}

}  // namespace postern::infer
