#pragma once

#include <string>
#include <vector>

#include "postern/owner/arrow_plugin.hpp"
#include "postern/owner/records_format.hpp"

#include "handle.hpp"

namespace postern::owner {

/// One opened file: all its columns, and the stream of those asked for.
struct OpenedTable {
  ArrowHandle<ArrowSchema> schema;
  ArrowHandle<ArrowArrayStream> stream;  ///< empty if a column is absent or repeated
  std::int64_t rows = -1;                ///< -1: not known before they are read
};

/// libpostern_arrow.so, found in the place that POSTERN_ARROW_PLUGIN names, else beside the program, beside
/// the library that holds this code, or in lib/postern of the installation.
class ArrowPlugin {
 public:
  /// Loads it once for the whole process. Throws unsupported, with how to get it.
  [[nodiscard]] static const ArrowPlugin& load();
  /// Throws input_unreadable, out_of_memory; in words of our own.
  [[nodiscard]] OpenedTable open(const std::string& path, TableFormat format,
                                 const std::vector<std::string>& columns, int threads) const;

 private:
  explicit ArrowPlugin(PosternArrowOpen* opener) : open_(opener) {}

  PosternArrowOpen* open_;
};

}  // namespace postern::owner
