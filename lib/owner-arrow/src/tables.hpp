#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <arrow/record_batch.h>
#include <arrow/result.h>
#include <arrow/type.h>

namespace postern::arrow_plugin {

/// An open file: its schema, and a reader of the wanted columns (none if one is absent or repeated).
struct OpenTable {
  std::shared_ptr<arrow::Schema> schema;
  std::shared_ptr<arrow::RecordBatchReader> reader;
  std::int64_t rows = -1;  ///< -1: not known before they are read
};

/// Where each wanted column is; empty if one is absent or repeated.
[[nodiscard]] std::vector<int> find_columns(const arrow::Schema& schema,
                                            const std::vector<std::string>& wanted);

[[nodiscard]] arrow::Result<OpenTable> open_parquet(const std::string& path,
                                                    const std::vector<std::string>& wanted, bool threads);
[[nodiscard]] arrow::Result<OpenTable> open_ipc(const std::string& path,
                                                const std::vector<std::string>& wanted, bool threads);

}  // namespace postern::arrow_plugin
