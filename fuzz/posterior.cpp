// The reader of posterior folders, which may come from a stranger, against hostile files. The input is
// several files, one behind the other: a line "=== NAME" begins each. Accepted means: written again and read
// as the same. Refused means one of our own errors.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "postern/core/error.hpp"
#include "postern/infer/posterior_files.hpp"

#include "harness.hpp"

namespace {

using namespace postern;

constexpr std::string_view kMark = "=== ";

/// A folder of this process, emptied for every input.
const std::filesystem::path& folder() {
  static const std::filesystem::path made = [] {
    std::string name = (std::filesystem::temp_directory_path() / "postern-fuzz-XXXXXX").string();
    fuzz::demand(mkdtemp(name.data()) != nullptr);
    return std::filesystem::path(name);
  }();
  return made;
}

/// Names are those that a folder may hold: others would only try the file system.
bool plain(std::string_view name) {
  return !name.empty() && name.size() < 40 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789.") == std::string_view::npos &&
         name.front() != '.';
}

void write_files(std::string_view text, const std::filesystem::path& into) {
  std::filesystem::create_directory(into);
  while (text.starts_with(kMark)) {
    const std::size_t line = text.find('\n');
    if (line == std::string_view::npos) return;
    const std::string_view name = text.substr(kMark.size(), line - kMark.size());
    text.remove_prefix(line + 1);
    const std::size_t end = text.find("\n=== ");
    const std::string_view body = end == std::string_view::npos ? text : text.substr(0, end + 1);
    text.remove_prefix(body.size());
    if (plain(name)) std::ofstream(into / name, std::ios::binary) << body;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path given = folder() / "given";
  const std::filesystem::path again = folder() / "again";
  std::filesystem::remove_all(given);
  std::filesystem::remove_all(again);
  // Bytes as text: both are one byte a character.
  write_files({reinterpret_cast<const char*>(data), size}, given);
  try {
    const infer::Posterior posterior = infer::read_posterior(given.string());
    infer::write_posterior(posterior, again.string(), false);
    const infer::Posterior read = infer::read_posterior(again.string());
    fuzz::demand(infer::posterior_facts(read) == infer::posterior_facts(posterior));
  } catch (const Error&) {
    return 0;  // of reading, or of a release in the folder that is looked at only when it is needed
  }
  return 0;
}
