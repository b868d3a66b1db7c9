#pragma once

#include <cstddef>
#include <cstdint>

#include "postern/owner/arrow_abi.hpp"

// What libpostern_arrow.so offers: Parquet and Arrow IPC files as Arrow C streams. Plain C, and no text comes
// out of it, so that nothing a foreign library says of a record can be passed on.
extern "C" {

/// Changes with every change of what is declared here.
enum { kPosternArrowVersion = 1 };

enum PosternArrowFormat : std::int32_t { kPosternParquet = 0, kPosternIpc = 1 };

struct PosternArrowRequest {
  const char* path;
  std::int32_t format;         ///< a PosternArrowFormat
  std::int32_t threads;        ///< 1: decode in the calling thread alone
  const char* const* columns;  ///< to read, each once
  std::size_t column_count;
};

enum PosternArrowResult : std::int32_t {
  kPosternArrowGood = 0,
  kPosternArrowUnreadable = 1,  ///< the file cannot be opened or read
  kPosternArrowNotFormat = 2,   ///< it is no whole file of this format
  kPosternArrowNoMemory = 3,
};

struct PosternArrowTable {
  ArrowSchema schema;       ///< of the whole file
  ArrowArrayStream stream;  ///< of the columns asked for, in that order
  std::int64_t rows;        ///< how many there are, to make room for them; -1: not known beforehand
};

/// Opens a file. If a column asked for is absent or repeated there is a schema but no stream (its release
/// callback is null). No record is read.
using PosternArrowOpen = std::int32_t(const PosternArrowRequest* request, PosternArrowTable* table);
/// kPosternArrowVersion of the plugin.
using PosternArrowVersion = std::int32_t();

#define POSTERN_ARROW_OPEN "postern_arrow_open"
#define POSTERN_ARROW_VERSION "postern_arrow_version"
}
