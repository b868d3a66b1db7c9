#include "postern/owner/arrow_stream.hpp"

#include <utility>

#include "postern/core/error.hpp"

#include "arrow_batches.hpp"
#include "arrow_handle.hpp"
#include "arrow_schema.hpp"

namespace postern::owner {
namespace {

// Batches are taken until they hold this many rows, so that small ones keep all threads busy; what has been
// encoded is given back before more is taken.
constexpr std::int64_t kGroup = 1 << 20;

using Stream = ArrowHandle<ArrowArrayStream>;

/// The next batches; none at the end.
std::vector<ArrowHandle<ArrowArray>> take_batches(Stream& stream, const std::string& origin) {
  std::vector<ArrowHandle<ArrowArray>> batches;
  std::int64_t rows = 0;
  while (rows < kGroup) {
    ArrowHandle<ArrowArray> batch;
    if (stream->get_next(stream.get(), batch.get()) != 0) refuse_broken_table(origin);
    if (!batch.filled()) break;
    if (!has_sane_extent(*batch)) refuse_broken_table(origin);
    rows += batch->length;
    batches.push_back(std::move(batch));
  }
  return batches;
}

}  // namespace

struct ArrowStream::Source {
  explicit Source(ArrowArrayStream* given) : stream(given) {}

  Stream stream;
  model::Schema schema;  // the plan's columns refer to it
  std::vector<std::string> names;
  std::string origin;
  BatchPlan plan;
};

ArrowStream::ArrowStream(ArrowArrayStream* stream, const model::Schema& schema,
                         std::vector<std::string> wanted_columns, const std::string& origin)
    : source_(std::make_unique<Source>(stream)) {
  Source& source = *source_;
  source.schema = schema;
  source.names = std::move(wanted_columns);
  source.origin = origin;
  ArrowHandle<ArrowSchema> table;
  if (!source.stream.filled() || source.stream->get_schema(source.stream.get(), table.get()) != 0)
    refuse_broken_table(origin);
  check_arrow_schema(*table, schema, origin);
  const std::vector<std::string> names = column_names(*table, origin);
  source.plan.children = names.size();
  for (const std::string& wanted : source.names) {
    const model::Column& column = source.schema.at(wanted);
    const std::size_t place = find_arrow_column(names, wanted, origin);
    source.plan.places.push_back(place);
    source.plan.columns.emplace_back(column, check_type(*table->children[place], column, origin));
  }
}
ArrowStream::ArrowStream(ArrowStream&&) noexcept = default;
ArrowStream::~ArrowStream() = default;

Records ArrowStream::read(int threads) && {
  const std::unique_ptr<Source> source = std::move(source_);
  BatchEncoder encoder(source->plan);
  for (;;) {
    const auto batches = take_batches(source->stream, source->origin);
    if (batches.empty()) break;
    if (!encoder.add(batches, threads)) refuse_broken_table(source->origin);
  }
  std::vector<std::uint32_t> levels;
  levels.reserve(source->names.size());
  for (const ArrowColumn& column : source->plan.columns) levels.push_back(column.encoder().levels());
  return Records(source->names, std::move(levels), std::move(encoder.columns()), encoder.rows());
}

}  // namespace postern::owner
