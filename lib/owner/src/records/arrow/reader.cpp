#include "reader.hpp"

#include <utility>

#include "postern/core/parallel.hpp"

#include "schema.hpp"

namespace postern::owner {
namespace {

// Batches are taken until they hold this many rows for each thread, so that small ones keep all of them busy.
// What has been encoded is given back before more is taken: its memory is still in the cache when it is used
// again.
constexpr std::int64_t kRowsOfThread = 1 << 16;

/// The next batches; none at the end.
std::vector<ArrowHandle<ArrowArray>> take_batches(ArrowHandle<ArrowArrayStream>& stream,
                                                  const std::string& origin, int threads) {
  const std::int64_t wanted = kRowsOfThread * (threads > 0 ? threads : default_threads());
  std::vector<ArrowHandle<ArrowArray>> batches;
  std::int64_t rows = 0;
  while (rows < wanted) {
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

ArrowReader::ArrowReader(const model::Schema& schema, std::vector<std::string> wanted_columns,
                         std::optional<ContributionBound> bound)
    : schema_(schema), names_(std::move(wanted_columns)), bound_(std::move(bound)) {
  for (const std::string& name : names_) levels_.push_back(schema_.at(name).levels());
  encoder_.emplace(levels_, bound_ ? bound_->key : nullptr);
}

void ArrowReader::begin_table(const ArrowSchema& table, const std::string& origin) {
  const std::vector<std::string> names = column_names(table, origin);
  origin_ = origin;
  BatchPlan plan;
  plan.children = names.size();
  std::vector<ArrowType> types;
  for (const std::string& name : names_) {
    plan.places.push_back(find_arrow_column(names, name, origin));
    types.push_back(check_type(*table.children[plan.places.back()], schema_.at(name), origin));
  }
  if (bound_) {
    const std::size_t place = find_arrow_column(names, bound_->column, origin);
    plan.ids = {place, check_id_type(*table.children[place], bound_->column, origin)};
  }
  // Files of a folder mostly agree, and the maps of their columns take time to make.
  const bool same = types == types_;
  if (same) plan.columns = std::move(plan_.columns);
  for (std::size_t c = 0; !same && c < names_.size(); ++c)
    plan.columns.emplace_back(schema_.at(names_[c]), types[c]);
  plan_ = std::move(plan);
  types_ = std::move(types);
}

void ArrowReader::expect_rows(std::int64_t rows) {
  // What a file says of itself is not believed beyond what many machines can hold; columns grow if need be.
  constexpr std::int64_t kMost = std::int64_t{1} << 32;
  if (rows > 0 && rows < kMost) encoder_->reserve(static_cast<std::size_t>(rows));
}

void ArrowReader::read_table(ArrowHandle<ArrowArrayStream>& stream, int threads) {
  for (;;) {
    const auto batches = take_batches(stream, origin_, threads);
    if (batches.empty()) return;
    if (!encoder_->add(plan_, batches, threads)) refuse_broken_table(origin_);
  }
}

Records ArrowReader::finish(int threads) {
  if (bound_)
    return bounded_records(names_, levels_, std::move(encoder_->columns()), encoder_->people(), *bound_,
                           threads);
  return Records(names_, levels_, std::move(encoder_->columns()), encoder_->rows());
}

}  // namespace postern::owner
