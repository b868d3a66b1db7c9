#include "batches.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include <sys/mman.h>

#include "postern/core/parallel.hpp"

namespace postern::owner {
namespace {

// The unit of parallel work, and of the codes that are on their way from values to levels.
constexpr std::size_t kStretch = 1 << 15;
constexpr std::size_t kIdsAtOnce = IdBlock::kRows;

/// Lets the system back memory that is about to be filled by few large pages instead of many small ones,
/// where it can. Only advice.
void prefer_large_pages(void* memory, std::size_t bytes) {
  constexpr std::size_t kLarge = std::size_t{2} << 20;
  const auto place = reinterpret_cast<std::uintptr_t>(memory);
  const auto begin = (place + kLarge - 1) / kLarge * kLarge;
  const auto end = (place + bytes) / kLarge * kLarge;
  if (begin < end) (void)madvise(static_cast<char*>(memory) + (begin - place), end - begin, MADV_HUGEPAGE);
}

bool has_null_rows(const ArrowArray& batch) {
  return batch.null_count != 0 && batch.n_buffers >= 1 && batch.buffers != nullptr &&
         batch.buffers[0] != nullptr;
}

/// Calls use(i) for the rows begin + i that are null as a whole: all their fields are missing.
template <class Use>
void for_null_rows(const ArrowArray& batch, std::size_t begin, std::size_t count, Use use) {
  if (!has_null_rows(batch)) return;
  const auto* const validity = static_cast<const std::uint8_t*>(batch.buffers[0]);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = static_cast<std::size_t>(batch.offset) + begin + i;
    if ((validity[at / 8] >> (at % 8) & 1) == 0) use(i);
  }
}

}  // namespace

BatchEncoder::BatchEncoder(const std::vector<std::uint32_t>& levels, std::shared_ptr<const BoundingKey> key)
    : key_(std::move(key)) {
  for (const std::uint32_t count : levels) columns_.push_back(make_coded_column(count));
}

bool BatchEncoder::add(const BatchPlan& plan, const std::vector<ArrowHandle<ArrowArray>>& batches,
                       int threads) {
  std::vector<Batch> group(batches.size());
  std::size_t rows = 0;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    if (!has_sane_extent(*batches[b])) return false;
    group[b].array = &*batches[b];
    group[b].first_row = rows;
    rows += static_cast<std::size_t>(batches[b]->length);
  }
  std::atomic<bool> sound = true;
  parallel_for(group.size(), threads, [&](std::size_t b) {
    if (!prepare(plan, group[b])) sound = false;
  });
  if (!sound) return false;
  resize(rows_ + rows);
  const bool may_drop = std::any_of(plan.columns.begin(), plan.columns.end(),
                                    [](const ArrowColumn& column) { return column.encoder().may_drop(); });
  keep_.assign(may_drop ? rows : 0, 1);
  encode(plan, group, threads);
  if (may_drop) {
    drop_rows(threads);
    rows = static_cast<std::size_t>(std::count(keep_.begin(), keep_.end(), 1));
  }
  rows_ += rows;
  return true;
}

bool BatchEncoder::prepare(const BatchPlan& plan, Batch& batch) {
  const ArrowArray& array = *batch.array;
  if (array.n_children != static_cast<std::int64_t>(plan.children) || array.children == nullptr) return false;
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    auto prepared = plan.columns[c].prepare(array.children[plan.places[c]], array.offset, array.length);
    if (!prepared) return false;
    batch.columns.push_back(std::move(*prepared));
  }
  if (!plan.ids) return true;
  batch.ids =
      ArrowFields::look_at(array.children[plan.ids->place], plan.ids->type, array.offset, array.length);
  return batch.ids.has_value();
}

void BatchEncoder::reserve(std::size_t rows) {
  for (CodedColumn& column : columns_) {
    std::visit(
        [&](auto& codes) {
          codes.reserve(rows_ + rows);
          prefer_large_pages(codes.data(), codes.capacity() * sizeof codes[0]);
        },
        column);
  }
  if (key_) people_.reserve(rows_ + rows);
}

void BatchEncoder::resize(std::size_t rows) {
  for (CodedColumn& column : columns_) std::visit([&](auto& codes) { codes.resize(rows); }, column);
  if (key_) people_.resize(rows);
}

void BatchEncoder::encode(const BatchPlan& plan, const std::vector<Batch>& group, int threads) {
  std::vector<Stretch> stretches;
  for (const Batch& batch : group) {
    const auto length = static_cast<std::size_t>(batch.array->length);
    for (std::size_t begin = 0; begin < length; begin += kStretch)
      stretches.push_back({&batch, begin, std::min(kStretch, length - begin)});
  }
  parallel_for(stretches.size(), threads, [&](std::size_t i) {
    for (std::size_t c = 0; c < columns_.size(); ++c) encode(stretches[i], plan.columns[c], c);
    if (key_) digest_ids(stretches[i]);
  });
}

void BatchEncoder::encode(const Stretch& stretch, const ArrowColumn& source, std::size_t column) {
  const std::uint32_t missing = source.encoder().missing();
  const bool may_drop = source.encoder().may_drop();
  const std::size_t first = stretch.batch->first_row + stretch.begin;
  const bool looked_up = !has_null_rows(*stretch.batch->array) &&
                         std::visit(
                             [&](auto& codes) {
                               return source.look_up_levels(stretch.batch->columns[column], stretch.begin,
                                                            stretch.count, codes.data() + rows_ + first);
                             },
                             columns_[column]);
  if (looked_up) return;
  std::uint32_t block[kIdsAtOnce];
  for (std::size_t done = 0; done < stretch.count; done += kIdsAtOnce) {
    const std::size_t begin = stretch.begin + done;
    const std::size_t count = std::min(kIdsAtOnce, stretch.count - done);
    const std::size_t row = first + done;
    source.encode(stretch.batch->columns[column], begin, count, block);
    for_null_rows(*stretch.batch->array, begin, count, [&](std::size_t i) { block[i] = missing; });
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

void BatchEncoder::digest_ids(const Stretch& stretch) {
  PersonDigester digester(*key_);
  IdBlock block;
  for (std::size_t done = 0; done < stretch.count; done += kIdsAtOnce) {
    const std::size_t begin = stretch.begin + done;
    const std::size_t count = std::min(kIdsAtOnce, stretch.count - done);
    const std::span<PersonId> ids = block.collect(*stretch.batch->ids, begin, count);
    for_null_rows(*stretch.batch->array, begin, count, [&](std::size_t i) { ids[i] = PersonId(); });
    const std::size_t row = rows_ + stretch.batch->first_row + begin;
    digester.digest(ids, std::span(people_).subspan(row, count));
  }
}

/// Closes the gaps that dropped rows leave.
template <class Code>
void BatchEncoder::drop_rows(Wiped<Code>& column) const {
  const Code* const in = column.data() + rows_;
  Code* out = column.data() + rows_;
  for (std::size_t i = 0; i < keep_.size(); ++i) {
    *out = in[i];
    out += keep_[i];
  }
  column.resize(static_cast<std::size_t>(out - column.data()));
}

void BatchEncoder::drop_rows(int threads) {
  if (key_) drop_rows(people_);
  parallel_for(columns_.size(), threads,
               [&](std::size_t c) { std::visit([&](auto& codes) { drop_rows(codes); }, columns_[c]); });
}

}  // namespace postern::owner
