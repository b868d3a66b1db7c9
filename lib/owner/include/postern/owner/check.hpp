#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "postern/model/encode.hpp"
#include "postern/model/study.hpp"
#include "postern/owner/arrow_abi.hpp"
#include "postern/owner/records_format.hpp"

namespace postern::owner {

// A look at the records before the spend, for their owner's eyes. Privacy: none; it is no release and becomes
// no part of one. Nothing here can reach the gate, the ledger or noise, and nothing of a release comes here
// (tools/check_layers.py, tests/boundary).

/// An undeclared value is told only if so many records have it (people, where the unit is a person).
inline constexpr std::int64_t kTellingRecords = 20;
/// Different undeclared values of a column that are told apart; what comes after them is not.
inline constexpr std::size_t kMostValues = 10'000;

/// A mistake that some fields or lines share, and its mend.
struct CheckRemark {
  std::string name;  ///< stable, such as "wrong-case"
  std::int64_t count = 0;
  std::string text;  ///< what they hold and what to do
};

/// A value that the column does not declare.
struct CheckedValue {
  std::string value;
  std::int64_t records = 0;
  std::optional<std::string> meant;  ///< the declared value that it probably stands for
};

struct ColumnCheck {
  static constexpr std::size_t kKinds = 6;

  std::string name;
  bool used = true;                           ///< by the model; no other column is read by a release
  bool numbers = true;                        ///< or categories
  std::array<std::int64_t, kKinds> fields{};  ///< by model::FieldKind; they add up to the records
  std::string missing_as;                     ///< what becomes of a missing or unreadable field
  std::string outside_as;                     ///< what becomes of an undeclared one
  std::vector<CheckRemark> remarks;
  std::vector<CheckedValue> values;  ///< those that enough records have, most frequent first
  std::int64_t rare = 0;             ///< fields that hold any other undeclared value
  bool gave_up = false;              ///< there are more than kMostValues different ones

  [[nodiscard]] std::int64_t count(model::FieldKind kind) const {
    return fields[static_cast<std::size_t>(kind)];
  }
};

struct PeopleCheck {
  std::int64_t at_most = 1;
  std::int64_t people = 0;
  std::int64_t with_more = 0;   ///< people with more than at_most records
  std::int64_t without_id = 0;  ///< records that are nobody's, and left out
};

struct RecordsCheck {
  std::int64_t records = 0;
  std::int64_t dropped = 0;  ///< by a policy of the model's columns
  std::int64_t kept = 0;     ///< what a release counts
  std::optional<PeopleCheck> people;
  std::vector<CheckRemark> lines;  ///< of a CSV file, that cannot be read
  std::vector<ColumnCheck> columns;
};

/// Looks at every record of a file or a folder as open_records would read it. Fails: as open_records, for
/// faults of the whole file; no record can make it fail.
[[nodiscard]] RecordsCheck check_records(const std::string& path, const RecordsFormat& format,
                                         const model::Study& study, int threads);
/// The same for tables handed over by the Arrow C stream interface; the stream is moved.
[[nodiscard]] RecordsCheck check_arrow_stream(ArrowArrayStream* stream, const model::Study& study);

/// All of it in words, headed by what it is and whom it is for. Bytes that a terminal would obey are escaped.
[[nodiscard]] std::string check_text(const RecordsCheck& check);

}  // namespace postern::owner
