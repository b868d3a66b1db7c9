#include <algorithm>

#include "postern/core/stop.hpp"

#include "check/readers.hpp"
#include "records/arrow/column.hpp"
#include "records/arrow/field.hpp"
#include "records/arrow/handle.hpp"
#include "records/arrow/loader.hpp"
#include "records/arrow/schema.hpp"
#include "records/arrow/table_files.hpp"

namespace postern::owner {
namespace {

/// Whether a row is null as a whole: all its fields are missing.
bool is_null(const ArrowArray& batch, std::size_t row) {
  if (batch.null_count == 0 || batch.n_buffers < 1 || batch.buffers == nullptr || batch.buffers[0] == nullptr)
    return false;
  const std::size_t at = static_cast<std::size_t>(batch.offset) + row;
  return (static_cast<const std::uint8_t*>(batch.buffers[0])[at / 8] >> (at % 8) & 1) == 0;
}

/// One wanted column of a table.
struct Wanted {
  std::size_t place = 0;
  ArrowType type;
  std::optional<std::pair<std::string, std::string>> truth;  // what false and true are, of a column of them
};

bool holds_truth(const ArrowType& type) {
  return (type.kind == ArrowType::Kind::look_up ? *type.values : type).kind == ArrowType::Kind::boolean;
}

class TableTally {
 public:
  TableTally(RecordsTally& tally, const model::Schema& schema, const ArrowSchema& table,
             const std::string& origin)
      : tally_(tally), origin_(origin) {
    const std::vector<std::string> names = column_names(table, origin);
    children_ = names.size();
    for (const std::string& name : tally.columns()) {
      const std::size_t place = find_arrow_column(names, name, origin);
      Wanted wanted{place, check_type(*table.children[place], schema.at(name), origin), std::nullopt};
      if (holds_truth(wanted.type)) wanted.truth = truth_labels(schema.at(name));
      wanted_.push_back(std::move(wanted));
    }
    if (tally.id_column()) {
      const std::size_t place = find_arrow_column(names, *tally.id_column(), origin);
      wanted_.push_back({place, check_id_type(*table.children[place], *tally.id_column(), origin), {}});
    }
    spellers_.resize(wanted_.size());
    texts_.resize(wanted_.size());
  }

  void read(ArrowHandle<ArrowArrayStream>& stream) {
    for (;;) {
      Conversation{StopScope::current(), {}}.check();
      ArrowHandle<ArrowArray> batch;
      if (stream->get_next(stream.get(), batch.get()) != 0) refuse_broken_table(origin_);
      if (!batch.filled()) return;
      add_batch(*batch);
    }
  }

 private:
  void add_batch(const ArrowArray& batch) {
    const bool sound = has_sane_extent(batch) && batch.children != nullptr &&
                       batch.n_children == static_cast<std::int64_t>(children_);
    if (!sound) refuse_broken_table(origin_);
    std::vector<ArrowFields> fields;
    for (const Wanted& wanted : wanted_) {
      auto looked =
          ArrowFields::look_at(batch.children[wanted.place], wanted.type, batch.offset, batch.length);
      if (!looked) refuse_broken_table(origin_);
      fields.push_back(std::move(*looked));
    }
    for (std::size_t row = 0; row < static_cast<std::size_t>(batch.length); ++row)
      add_row(batch, fields, row);
  }

  void add_row(const ArrowArray& batch, const std::vector<ArrowFields>& fields, std::size_t row) {
    const bool null = is_null(batch, row);
    for (std::size_t c = 0; c < fields.size(); ++c) {
      texts_[c] = null ? std::nullopt : fields[c].text(row, spellers_[c]);
      if (texts_[c] && wanted_[c].truth)
        texts_[c] = *texts_[c] == "true" ? wanted_[c].truth->second : wanted_[c].truth->first;
    }
    const std::size_t columns = tally_.columns().size();
    tally_.add(std::span(texts_).first(columns), tally_.id_column() ? texts_.back() : std::nullopt);
  }

  RecordsTally& tally_;
  std::string origin_;
  std::size_t children_ = 0;
  std::vector<Wanted> wanted_;  // the study's columns, then that of ids
  std::vector<Speller> spellers_;
  std::vector<RecordsTally::MaybeField> texts_;
};

void tally_table(ArrowHandle<ArrowArrayStream>& stream, const model::Schema& schema,
                 const std::string& origin, RecordsTally& tally) {
  ArrowHandle<ArrowSchema> table;
  if (!stream.filled() || stream->get_schema(stream.get(), table.get()) != 0) refuse_broken_table(origin);
  TableTally(tally, schema, *table, origin).read(stream);
}

}  // namespace

void tally_stream(ArrowArrayStream* stream, const model::Schema& schema, RecordsTally& tally) {
  ArrowHandle<ArrowArrayStream> held(stream);
  tally_table(held, schema, "", tally);  // a table in memory has no name
}

void tally_tables(const std::string& path, std::optional<TableFormat> format, const model::Schema& schema,
                  int threads, RecordsTally& tally) {
  const std::vector<TableFile> files = list_tables(path, format);
  const ArrowPlugin& plugin = ArrowPlugin::load();
  std::vector<std::string> columns = tally.columns();
  const auto& id = tally.id_column();
  if (id && std::find(columns.begin(), columns.end(), *id) == columns.end()) columns.push_back(*id);
  for (const TableFile& file : files) {
    OpenedTable table = plugin.open(file.path, file.format, columns, threads);
    check_declared_columns(*table.schema, schema, id, file.path);
    if (id) (void)find_arrow_column(column_names(*table.schema, file.path), *id, file.path);
    tally_table(table.stream, schema, file.path, tally);
  }
}

}  // namespace postern::owner
