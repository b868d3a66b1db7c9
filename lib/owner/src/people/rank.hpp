#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "postern/owner/coded_table.hpp"
#include "postern/owner/contribution.hpp"

#include "cmac.hpp"

namespace postern::owner {

/// A row under its person's digest and then, if the person has too many, under its own hash.
struct Entry {
  PersonDigest digest;
  std::uint64_t row;
};

/// The order in which the records of one person are kept: by (keyed hash of person and levels, levels). It
/// looks at nothing but a row's person and levels; rows that agree in both are copies of each other, and
/// their place in the file settles only which of the copies is the first. Not for use by two threads at once.
class RecordRanker {
 public:
  /// The columns must outlive it.
  RecordRanker(const BoundingKey& key, const std::vector<CodedColumn>& columns);
  /// Replaces the digest of each entry, its person's, by the hash of its record.
  void hash(std::span<Entry> entries);
  [[nodiscard]] bool before(const Entry& a, const Entry& b) const;

 private:
  static constexpr std::size_t kBatch = 1024;
  void hash_batch(std::span<Entry> entries);
  [[nodiscard]] std::uint32_t level(std::size_t column, std::uint64_t row) const;

  const std::vector<CodedColumn>& columns_;
  std::size_t stride_;  // bytes of a message: person, then levels
  BatchedCmac cmac_;
  Wiped<char> text_;
  std::vector<std::string_view> messages_;
  Wiped<PersonDigest> hashes_;
};

}  // namespace postern::owner
