#include <new>

#include <arrow/c/bridge.h>

#include "postern/owner/arrow_plugin.hpp"

#include "tables.hpp"

namespace postern::arrow_plugin {

std::vector<int> find_columns(const arrow::Schema& schema, const std::vector<std::string>& wanted) {
  std::vector<int> places;
  for (const std::string& name : wanted) {
    const std::vector<int> found = schema.GetAllFieldIndices(name);
    if (found.size() != 1) return {};
    places.push_back(found[0]);
  }
  return places;
}

namespace {

std::int32_t result_of(const arrow::Status& status) {
  if (status.ok()) return kPosternArrowGood;
  if (status.IsOutOfMemory()) return kPosternArrowNoMemory;
  return status.IsIOError() ? kPosternArrowUnreadable : kPosternArrowNotFormat;
}

arrow::Status open(const PosternArrowRequest& request, PosternArrowTable* out) {
  const std::vector<std::string> wanted(request.columns, request.columns + request.column_count);
  const bool threads = request.threads != 1;
  ARROW_ASSIGN_OR_RAISE(const OpenTable table, request.format == kPosternParquet
                                                   ? open_parquet(request.path, wanted, threads)
                                                   : open_ipc(request.path, wanted, threads));
  ARROW_RETURN_NOT_OK(arrow::ExportSchema(*table.schema, &out->schema));
  out->rows = table.rows;
  return table.reader ? arrow::ExportRecordBatchReader(table.reader, &out->stream) : arrow::Status::OK();
}

}  // namespace
}  // namespace postern::arrow_plugin

extern "C" {

__attribute__((visibility("default"))) std::int32_t postern_arrow_version() { return kPosternArrowVersion; }

__attribute__((visibility("default"))) std::int32_t postern_arrow_open(const PosternArrowRequest* request,
                                                                       PosternArrowTable* table) {
  table->schema.release = nullptr;
  table->stream.release = nullptr;
  try {
    return postern::arrow_plugin::result_of(postern::arrow_plugin::open(*request, table));
  } catch (const std::bad_alloc&) {
    return kPosternArrowNoMemory;
  } catch (...) {
    return kPosternArrowNotFormat;
  }
}
}
