#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/model/policy.hpp"
#include "postern/owner/coded_table.hpp"
#include "postern/owner/entropy.hpp"

namespace postern::model {
struct Study;
}

namespace postern::owner {

/// The column that marks the first row of each person where records are in the order of people
/// (order_people); no study can name it.
inline constexpr const char* kFirstOfPerson = "";

// Units larger than a record: at most k records of each person are kept, chosen from that person's own
// records alone (the rule and the argument are in contribution.md). A reader
//  1. calls contribution_bound when it opens the records, before the charge;
//  2. gives every row that its columns' policies do not drop the digest of its id, by a PersonDigester of the
//     thread's own;
//  3. calls bound_contributions once, on all rows of all parts together.

/// The id of one record: bytes that can be digested and nothing else. Blanks (spaces, tabs) around it do not
/// count, as in model::Encoder, nor do the quotes of a CSV; an id of nothing but blanks is missing. A whole
/// number has its decimal digits as id, so that a CSV and an Arrow file name the same people.
class PersonId {
 public:
  PersonId() = default;  ///< missing
  explicit PersonId(std::string_view bytes) : bytes_(bytes) {}

 private:
  friend class PersonDigester;
  std::string_view bytes_;
};

/// A keyed digest that stands for an id: as good as the id to tell people apart, and of one size.
struct PersonDigest {
  std::uint64_t high;
  std::uint64_t low;
  friend auto operator<=>(const PersonDigest&, const PersonDigest&) = default;
};
/// Stands for a missing id. Such a row belongs to nobody and is dropped.
inline constexpr PersonDigest kNobody{0, 0};

/// The secret of one run. It decides which records of a person are kept, and keeps ids from being made to
/// collide; it does not carry the privacy guarantee. Never printed, never stored, wiped.
class BoundingKey {
 public:
  explicit BoundingKey(Entropy& entropy);
  BoundingKey(const BoundingKey&) = delete;
  BoundingKey& operator=(const BoundingKey&) = delete;
  ~BoundingKey();

 private:
  friend class PersonDigester;
  friend class RecordRanker;
  static constexpr std::size_t kBytes = 16;
  std::array<std::uint8_t, kBytes> of_ids_{};
  std::array<std::uint8_t, kBytes> of_records_{};
};

/// What a study with a person as unit asks of a reader.
struct ContributionBound {
  std::string column;  ///< holds the ids
  std::int64_t at_most = 1;
  std::shared_ptr<const BoundingKey> key;
  /// Where the model is of sequences, the column of time: all rows of a person stay, in its order, and how
  /// much they count is bounded by what is made of them (lib/model/src/statistic/sequences/transitions.md).
  std::optional<std::string> ordered_by = std::nullopt;
};
/// Nothing if the unit is a record; otherwise the bound, with a fresh key. Fails: entropy_failed.
[[nodiscard]] std::optional<ContributionBound> contribution_bound(const model::Unit& unit);
/// The same with the order that the study's model asks for.
[[nodiscard]] std::optional<ContributionBound> contribution_bound(const model::Study& study);

class BatchedCmac;

/// Ids to digests, a batch at a time. Not for use by two threads at once.
class PersonDigester {
 public:
  explicit PersonDigester(const BoundingKey& key);
  PersonDigester(PersonDigester&&) noexcept;
  ~PersonDigester();
  /// digests[i] is that of ids[i]. @pre digests has the size of ids.
  void digest(std::span<const PersonId> ids, std::span<PersonDigest> digests);

 private:
  std::unique_ptr<BatchedCmac> cmac_;
  std::vector<std::string_view> trimmed_;
};

/// Leaves in the columns at most `bound.at_most` rows of each person and returns how many rows that makes.
/// Of a person with more, the rows that come first by (keyed hash of id and levels, levels) stay, counting
/// duplicates. Row i belongs to people[i]; kNobody's rows go. The rows that stay keep their order, and are
/// the same for any number of threads. Privacy: which rows of a person stay depends on no row of anyone else
/// nor on any order; so adding or removing a person adds or removes at most `at_most` rows.
/// @pre every column has people.size() rows, encoded.
[[nodiscard]] std::size_t bound_contributions(std::vector<CodedColumn>& columns,
                                              const Wiped<PersonDigest>& people,
                                              const ContributionBound& bound, int threads);

/// Puts the rows of each person together, by increasing level of the ordering column, and lets nobody's rows
/// go. Returns for each row that is left whether it is the first of its person. Rows that agree in person and
/// time are in the order of their levels, so that nothing depends on where they stood. @pre as of
/// bound_contributions; `order` is one of the columns.
[[nodiscard]] Wiped<std::uint8_t> order_people(std::vector<CodedColumn>& columns,
                                               const Wiped<PersonDigest>& people, std::size_t order);

/// What a reader does with its encoded rows: bounds them, or orders them where the bound says so. `names` of
/// the columns.
[[nodiscard]] Records bounded_records(std::vector<std::string> names, std::vector<std::uint32_t> levels,
                                      std::vector<CodedColumn> columns, const Wiped<PersonDigest>& people,
                                      const ContributionBound& bound, int threads);

/// Most memory that digests and bound_contributions take for so many rows, beside the columns.
[[nodiscard]] double bounding_bytes(double rows);

}  // namespace postern::owner
