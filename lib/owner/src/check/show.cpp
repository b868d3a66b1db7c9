#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "postern/owner/check.hpp"

#include "check/words.hpp"

namespace postern::owner {
namespace {

using model::FieldKind;

constexpr const char* kHead =
    "FOR THE EYES OF THE OWNER OF THE RECORDS ALONE. THIS IS NOT DIFFERENTIALLY PRIVATE AND NO PART OF A\n"
    "RELEASE. DO NOT PASS IT ON. Nothing was charged, and no ledger was opened.\n";

constexpr std::size_t kMostTold = 30;  // values of a column; a file of JSON holds all

std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string plural(std::int64_t count, const char* one, const char* many) {
  return grouped(count) + ' ' + (count == 1 ? one : many);
}

/// Breaks at spaces; lines behind the first are indented.
std::string wrapped(const std::string& text, std::size_t indent) {
  constexpr std::size_t kWidth = 98;
  std::string out;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (column > indent && column + 1 + (end - at) > kWidth) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (at > 0) {
      out += ' ';
      ++column;
    }
    out += text.substr(at, end - at);
    column += end - at;
    at = end + 1;
  }
  return out + '\n';
}

std::string people_text(const RecordsCheck& check) {
  const PeopleCheck& people = *check.people;
  std::string text = "people   " + grouped(people.people) + "; " + grouped(people.with_more) +
                     " of them have more than " + plural(people.at_most, "record", "records");
  if (people.without_id > 0)
    text += "; " + plural(people.without_id, "record has no id and is", "records have no id and are") +
            " left out";
  return wrapped(text, 9);
}

std::string records_text(const RecordsCheck& check) {
  std::string text = "records  " + grouped(check.records);
  if (check.dropped > 0) text += "; " + grouped(check.dropped) + " of them dropped, as the study says";
  if (check.kept != check.records) text += "; " + grouped(check.kept) + " counted by a release";
  std::string out = wrapped(text, 9);
  if (check.people) out += people_text(check);
  for (const CheckRemark& remark : check.lines)
    out +=
        wrapped("- " + plural(remark.count, "line", "lines") + " [" + remark.name + "]: " + remark.text, 2);
  return out;
}

std::string counts_text(const ColumnCheck& column) {
  std::string text = "declared " + grouped(column.count(FieldKind::declared)) + ", missing " +
                     grouped(column.count(FieldKind::missing));
  if (column.numbers) {
    text += ", below " + grouped(column.count(FieldKind::below)) + ", above " +
            grouped(column.count(FieldKind::above));
  } else {
    text += ", undeclared " + grouped(column.count(FieldKind::undeclared));
  }
  return text + ", unreadable " + grouped(column.count(FieldKind::unreadable));
}

std::string values_text(const ColumnCheck& column, const char* holders) {
  std::string out;
  if (!column.values.empty()) {
    out += "  undeclared values that at least " + grouped(kTellingRecords) + ' ' + holders +
           " have: declare what can occur, not what you saw\n";
  }
  const std::size_t told = std::min(column.values.size(), kMostTold);
  for (const CheckedValue& value : std::span(column.values).first(told)) {
    out += "    " + shown(value.value) + ": " + plural(value.records, "field", "fields");
    out += value.meant ? "; declared is " + shown(*value.meant) + '\n' : "\n";
  }
  if (told < column.values.size()) {
    out += "    and " +
           plural(static_cast<std::int64_t>(column.values.size() - told), "more value", "more values") + '\n';
  }
  if (column.rare > 0) {
    out += "  undeclared values that fewer " + std::string(holders) +
           " have are not told: " + plural(column.rare, "field", "fields") + '\n';
  }
  if (column.gave_up) {
    out += "  there are more than " + grouped(static_cast<std::int64_t>(kMostValues)) +
           " different ones; those that came later were not told apart\n";
  }
  return out;
}

std::string column_text(const ColumnCheck& column, const char* holders) {
  std::string out = '\n' + shown(column.name) + (column.used ? "" : " (not used by the model)") + '\n' +
                    "  " + counts_text(column) + '\n';
  if (column.count(FieldKind::missing) + column.count(FieldKind::unreadable) > 0)
    out += "  missing and unreadable fields " + column.missing_as + '\n';
  if (column.count(FieldKind::below) + column.count(FieldKind::above) + column.count(FieldKind::undeclared) >
      0)
    out += std::string("  ") + (column.numbers ? "numbers outside" : "undeclared values") + ' ' +
           column.outside_as + '\n';
  for (const CheckRemark& remark : column.remarks)
    out += wrapped(
        "  - " + plural(remark.count, "field", "fields") + " [" + remark.name + "]: " + remark.text, 4);
  return out + values_text(column, holders);
}

}  // namespace

std::string check_text(const RecordsCheck& check) {
  std::string out = std::string(kHead) + '\n' + records_text(check);
  for (const ColumnCheck& column : check.columns)
    out += column_text(column, check.people ? "people" : "records");
  return out;
}

}  // namespace postern::owner
