#include "postern/owner/columns.hpp"

#include "postern/core/error.hpp"
#include "postern/owner/csv.hpp"

#include "records/arrow/handle.hpp"
#include "records/arrow/loader.hpp"
#include "records/arrow/schema.hpp"
#include "records/arrow/table_files.hpp"

namespace postern::owner {
namespace {

using Kind = model::DraftColumn::Kind;

Kind kind_of(const ArrowSchema& column) {
  const auto type = parse_arrow_type(column);
  if (!type || strange_extension(column)) return Kind::other;
  const ArrowType& values = type->kind == ArrowType::Kind::look_up ? *type->values : *type;
  switch (values.kind) {
    case ArrowType::Kind::boolean:
      return Kind::boolean;
    case ArrowType::Kind::whole:
      return Kind::whole;
    case ArrowType::Kind::real:
    case ArrowType::Kind::decimal:
      return Kind::real;
    default:
      return Kind::text;
  }
}

std::vector<model::DraftColumn> columns_of(const ArrowSchema& table, const std::string& origin) {
  std::vector<model::DraftColumn> columns;
  for (const std::string& name : column_names(table, origin))
    columns.push_back({name, kind_of(*table.children[columns.size()])});
  if (columns.empty())
    throw Error(ErrorCode::input_unreadable, {"the table has no columns, so there is nothing to draft"});
  return columns;
}

}  // namespace

std::vector<model::DraftColumn> read_columns(const std::string& path, const RecordsFormat& format) {
  if (!format.csv) {
    const TableFile file = list_tables(path, format.table).front();
    const OpenedTable table = ArrowPlugin::load().open(file.path, file.format, {}, 1);
    return columns_of(*table.schema, file.path);
  }
  std::vector<model::DraftColumn> columns;
  for (std::string& name : read_csv_header(path, format.delimiter))
    columns.push_back({std::move(name), Kind::text});
  return columns;
}

std::vector<model::DraftColumn> read_columns(ArrowArrayStream* stream) {
  const std::string origin;  // a table in memory has no name
  ArrowHandle<ArrowArrayStream> held(stream);
  ArrowHandle<ArrowSchema> table;
  if (!held.filled() || held->get_schema(held.get(), table.get()) != 0) refuse_broken_table(origin);
  return columns_of(*table, origin);
}

}  // namespace postern::owner
