#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "postern/owner/contribution.hpp"

#include "scripted_entropy.hpp"

namespace postern::owner {

/// A bound whose key is repeatable.
inline ContributionBound seeded_bound(std::int64_t at_most, std::uint64_t seed = 1) {
  ScriptedEntropy entropy(seed);
  return {"id", at_most, std::make_shared<const BoundingKey>(entropy)};
}

/// One record: whose it is, and its level in one column.
struct OwnedRecord {
  std::string id;
  std::uint8_t level = 0;
};

inline Wiped<PersonDigest> digests_of(const std::vector<std::string>& ids, const ContributionBound& bound) {
  const std::vector<PersonId> people(ids.begin(), ids.end());
  Wiped<PersonDigest> out(people.size());
  PersonDigester(*bound.key).digest(people, out);
  return out;
}

/// The levels that stay, in the order of the records.
inline std::vector<std::uint8_t> keep(const std::vector<OwnedRecord>& records, const ContributionBound& bound,
                                      int threads = 1) {
  Wiped<std::uint8_t> levels;
  std::vector<std::string> ids;
  for (const OwnedRecord& record : records) {
    levels.push_back(record.level);
    ids.push_back(record.id);
  }
  std::vector<CodedColumn> columns;
  columns.emplace_back(std::move(levels));
  const std::size_t rows = bound_contributions(columns, digests_of(ids, bound), bound, threads);
  const auto& kept = std::get<Wiped<std::uint8_t>>(columns[0]);
  EXPECT_EQ(kept.size(), rows);
  return {kept.begin(), kept.end()};
}

/// How often each level stays.
inline std::vector<std::int64_t> counts_of(const std::vector<std::uint8_t>& levels, std::size_t size) {
  std::vector<std::int64_t> counts(size, 0);
  for (const std::uint8_t level : levels) ++counts.at(level);
  return counts;
}

}  // namespace postern::owner
