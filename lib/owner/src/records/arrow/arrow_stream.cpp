#include "postern/owner/arrow_stream.hpp"

#include <utility>

#include "handle.hpp"
#include "reader.hpp"
#include "schema.hpp"

namespace postern::owner {

struct ArrowStream::Source {
  ArrowHandle<ArrowArrayStream> stream;
  ArrowReader reader;
};

ArrowStream::ArrowStream(ArrowArrayStream* stream, const model::Schema& schema,
                         std::vector<std::string> wanted_columns, std::optional<ContributionBound> bound)
    : source_(new Source{ArrowHandle<ArrowArrayStream>(stream), {schema, std::move(wanted_columns), bound}}) {
  const std::string origin;  // a table in memory has no name
  ArrowHandle<ArrowSchema> table;
  ArrowHandle<ArrowArrayStream>& held = source_->stream;
  if (!held.filled() || held->get_schema(held.get(), table.get()) != 0) refuse_broken_table(origin);
  check_declared_columns(*table, schema, bound ? std::optional(bound->column) : std::nullopt, origin);
  source_->reader.begin_table(*table, origin);
}
ArrowStream::ArrowStream(ArrowStream&&) noexcept = default;
ArrowStream::~ArrowStream() = default;

Records ArrowStream::read(int threads) && {
  const std::unique_ptr<Source> source = std::move(source_);
  source->reader.read_table(source->stream, threads);
  return source->reader.finish(threads);
}

}  // namespace postern::owner
