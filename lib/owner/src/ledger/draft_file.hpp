#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "durable_file.hpp"

namespace postern::owner {

/// A file that gets its name when it is whole. Until then it has none, so that a killed process leaves
/// nothing behind; where the file system knows no nameless files it has a temporary name, locked while its
/// maker lives.
class DraftFile {
 public:
  explicit DraftFile(std::string path) : path_(std::move(path)) {}

  // The calls return 0 or errno.

  [[nodiscard]] int open();
  /// Asks the disk for so much room. @pre opened
  [[nodiscard]] int reserve(off_t bytes) const;
  /// Writes the bytes, sets the mode, and syncs. @pre opened
  [[nodiscard]] int write(std::string_view bytes, mode_t mode) const;
  /// Writes a nameless file anew under a temporary name, for places where it may not be linked. @pre opened
  [[nodiscard]] int take_temporary_name();
  /// Gives it its name, atomically; without `replace` an existing file is refused (EEXIST).
  [[nodiscard]] int publish(bool replace);

  [[nodiscard]] bool has_name() const { return named_.has_value(); }
  /// Removes the temporary files of `path` whose makers are gone.
  static void remove_stale(const std::string& path);

 private:
  [[nodiscard]] int open_nameless();
  [[nodiscard]] int open_named();
  [[nodiscard]] int link_to(const std::string& name) const;
  std::string path_;
  std::optional<Descriptor> file_;
  std::optional<RemoveUnlessKept> named_;
};

}  // namespace postern::owner
