#include "arrow_batches.hpp"

#include <algorithm>
#include <atomic>

#include "postern/core/parallel.hpp"

namespace postern::owner {
namespace {

// The unit of parallel work, and of the codes that are on their way from values to levels.
constexpr std::size_t kStretch = 1 << 15;
constexpr std::size_t kBlock = 1024;

/// A row that is null as a whole has only missing fields.
void set_missing_rows(const ArrowArray& batch, std::size_t begin, std::size_t count, std::uint32_t missing,
                      std::uint32_t* codes) {
  if (batch.null_count == 0 || batch.n_buffers < 1 || batch.buffers == nullptr) return;
  const auto* const validity = static_cast<const std::uint8_t*>(batch.buffers[0]);
  if (validity == nullptr) return;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = static_cast<std::size_t>(batch.offset) + begin + i;
    if ((validity[at / 8] >> (at % 8) & 1) == 0) codes[i] = missing;
  }
}

}  // namespace

BatchEncoder::BatchEncoder(const BatchPlan& plan) : plan_(plan) {
  for (const ArrowColumn& column : plan.columns) {
    may_drop_ = may_drop_ || column.encoder().may_drop();
    columns_.push_back(make_coded_column(column.encoder().levels()));
  }
}

bool BatchEncoder::add(const std::vector<ArrowHandle<ArrowArray>>& batches, int threads) {
  std::vector<Batch> group(batches.size());
  std::size_t rows = 0;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    if (!has_sane_extent(*batches[b])) return false;
    group[b] = {&*batches[b], rows, {}};
    rows += static_cast<std::size_t>(batches[b]->length);
  }
  std::atomic<bool> sound = true;
  parallel_for(group.size(), threads, [&](std::size_t b) {
    if (!prepare(group[b])) sound = false;
  });
  if (!sound) return false;
  for (CodedColumn& column : columns_) std::visit([&](auto& codes) { codes.resize(rows_ + rows); }, column);
  if (may_drop_) keep_.assign(rows, 1);
  std::vector<Stretch> stretches;
  for (const Batch& batch : group) {
    const auto length = static_cast<std::size_t>(batch.array->length);
    for (std::size_t begin = 0; begin < length; begin += kStretch)
      stretches.push_back({&batch, begin, std::min(kStretch, length - begin)});
  }
  parallel_for(stretches.size(), threads, [&](std::size_t i) { encode(stretches[i]); });
  if (may_drop_) {
    drop_rows(rows, threads);
    rows = static_cast<std::size_t>(std::count(keep_.begin(), keep_.end(), 1));
  }
  rows_ += rows;
  return true;
}

bool BatchEncoder::prepare(Batch& batch) const {
  const ArrowArray& array = *batch.array;
  if (array.n_children != static_cast<std::int64_t>(plan_.children) || array.children == nullptr)
    return false;
  for (std::size_t c = 0; c < plan_.columns.size(); ++c) {
    auto prepared = plan_.columns[c].prepare(array.children[plan_.places[c]], array.offset, array.length);
    if (!prepared) return false;
    batch.columns.push_back(std::move(*prepared));
  }
  return true;
}

void BatchEncoder::encode(const Stretch& stretch) {
  for (std::size_t c = 0; c < columns_.size(); ++c) encode(stretch, c);
}

void BatchEncoder::encode(const Stretch& stretch, std::size_t column) {
  const ArrowColumn& source = plan_.columns[column];
  const std::uint32_t missing = source.encoder().missing();
  const bool may_drop = source.encoder().may_drop();
  std::uint32_t block[kBlock];
  for (std::size_t done = 0; done < stretch.count; done += kBlock) {
    const std::size_t begin = stretch.begin + done;
    const std::size_t count = std::min(kBlock, stretch.count - done);
    const std::size_t row = stretch.batch->first_row + begin;
    source.encode(stretch.batch->columns[column], begin, count, block);
    set_missing_rows(*stretch.batch->array, begin, count, missing, block);
    for (std::size_t i = 0; may_drop && i < count; ++i) {
      if (block[i] != model::kDropped) continue;
      keep_[row + i] = 0;
      block[i] = 0;
    }
    std::visit(
        [&](auto& codes) {
          using Level = typename std::decay_t<decltype(codes)>::value_type;
          std::transform(block, block + count, codes.data() + rows_ + row,
                         [](std::uint32_t code) { return static_cast<Level>(code); });
        },
        columns_[column]);
  }
  wipe(block, sizeof block);
}

/// Closes the gaps that dropped rows leave among the last `count` rows.
void BatchEncoder::drop_rows(std::size_t count, int threads) {
  parallel_for(columns_.size(), threads, [&](std::size_t c) {
    std::visit(
        [&](auto& codes) {
          auto* out = codes.data() + rows_;
          const auto* const in = codes.data() + rows_;
          for (std::size_t i = 0; i < count; ++i) {
            *out = in[i];
            out += keep_[i];
          }
          codes.resize(static_cast<std::size_t>(out - codes.data()));
        },
        columns_[c]);
  });
}

}  // namespace postern::owner
