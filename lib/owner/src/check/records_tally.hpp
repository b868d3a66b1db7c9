#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/model/study.hpp"
#include "postern/owner/check.hpp"
#include "postern/owner/coded_table.hpp"

#include "check/column_tally.hpp"
#include "check/words.hpp"

namespace postern::owner {

/// Counts records as a release would: what their fields are, which are dropped, whose they are. People are
/// kept as digests, sixteen bytes a record.
class RecordsTally {
 public:
  /// The study must outlive this.
  explicit RecordsTally(const model::Study& study);
  /// What a reader hands over of every record: the study's columns in their order, and that of ids, if any.
  [[nodiscard]] const std::vector<std::string>& columns() const { return names_; }
  [[nodiscard]] const std::optional<std::string>& id_column() const { return id_column_; }

  using MaybeField = std::optional<std::string_view>;
  void add(std::span<const MaybeField> fields, MaybeField id);
  /// A line of which nothing can be read.
  void add(BrokenLine fault);
  [[nodiscard]] RecordsCheck finish();

 private:
  struct Person {
    std::uint64_t high;
    std::uint64_t low;
    friend auto operator<=>(const Person&, const Person&) = default;
  };
  [[nodiscard]] static std::optional<Person> digest(MaybeField id);
  void count(bool dropped, const std::optional<Person>& person);
  [[nodiscard]] PeopleCheck count_people(std::int64_t& kept);

  std::vector<std::string> names_;
  std::optional<std::string> id_column_;
  std::int64_t at_most_ = 1;
  std::vector<ColumnTally> columns_;
  std::array<std::int64_t, kBrokenLines> broken_{};
  std::int64_t records_ = 0;
  std::int64_t dropped_ = 0;
  std::int64_t without_id_ = 0;
  Wiped<Person> people_;
};

}  // namespace postern::owner
