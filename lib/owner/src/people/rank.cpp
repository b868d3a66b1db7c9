#include "rank.hpp"

#include <algorithm>

namespace postern::owner {
namespace {

template <class Whole>
char* write(char* out, Whole value) {
  for (int shift = 8 * static_cast<int>(sizeof value) - 8; shift >= 0; shift -= 8) {
    *out++ = static_cast<char>(static_cast<unsigned char>(value >> static_cast<unsigned>(shift)));
  }
  return out;
}

}  // namespace

RecordRanker::RecordRanker(const BoundingKey& key, const std::vector<CodedColumn>& columns)
    : columns_(columns),
      stride_(sizeof(PersonDigest) + columns.size() * sizeof(std::uint32_t)),
      cmac_(key.of_records_),
      text_(kBatch * stride_),
      hashes_(kBatch) {
  messages_.reserve(kBatch);
  for (std::size_t i = 0; i < kBatch; ++i) messages_.emplace_back(text_.data() + i * stride_, stride_);
}

std::uint32_t RecordRanker::level(std::size_t column, std::uint64_t row) const {
  return std::visit([row](const auto& codes) -> std::uint32_t { return codes[row]; }, columns_[column]);
}

void RecordRanker::hash_batch(std::span<Entry> entries) {
  char* out = text_.data();
  for (const Entry& entry : entries) {
    out = write(write(out, entry.digest.high), entry.digest.low);
    for (std::size_t c = 0; c < columns_.size(); ++c) out = write(out, level(c, entry.row));
  }
  cmac_.digest(std::span(messages_).first(entries.size()), hashes_);
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i].digest = hashes_[i];
}

void RecordRanker::hash(std::span<Entry> entries) {
  for (std::size_t begin = 0; begin < entries.size(); begin += kBatch) {
    hash_batch(entries.subspan(begin, std::min(kBatch, entries.size() - begin)));
  }
}

bool RecordRanker::before(const Entry& a, const Entry& b) const {
  if (a.digest != b.digest) return a.digest < b.digest;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::uint32_t left = level(c, a.row);
    const std::uint32_t right = level(c, b.row);
    if (left != right) return left < right;
  }
  return a.row < b.row;
}

}  // namespace postern::owner
