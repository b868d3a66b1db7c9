#include "check/column_tally.hpp"

#include <algorithm>
#include <utility>

#include "postern/core/mutant.hpp"

#include "check/words.hpp"
#include "records/csv/line.hpp"

namespace postern::owner {
namespace {

using model::FieldKind;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// What no category can be, though a table may hold it; a release counts it as missing.
bool is_no_text(std::string_view field) {
  return field.find('\0') != std::string_view::npos || !is_utf8(field);
}

}  // namespace

ColumnTally::ColumnTally(const model::Column& column, bool used, bool by_people)
    : column_(column),
      used_(used),
      by_people_(by_people),
      categories_(std::holds_alternative<model::Categories>(column.values)),
      encoder_(std::make_unique<const model::Encoder>(column)),
      finder_(column, *encoder_) {}

std::uint32_t ColumnTally::add(std::string_view field, Whose whose) {
  const model::Diagnosis diagnosis = encoder_->diagnose(model::Field(field));
  if (diagnosis.kind == FieldKind::declared || diagnosis.kind == FieldKind::missing) {
    count(diagnosis.kind);
    const bool spaced = !field.empty() && (is_blank(field.front()) || is_blank(field.back()));
    if (spaced && diagnosis.kind == FieldKind::declared) ++spaced_;
    return diagnosis.level;
  }
  if (categories_ && is_no_text(field)) {
    ++slips_[static_cast<std::size_t>(Slip::not_text)];
    count(FieldKind::unreadable);
    return encoder_->missing();
  }
  count(diagnosis.kind);
  add_undeclared(field, whose);
  return diagnosis.level;
}

std::uint32_t ColumnTally::add_absent() {
  count(FieldKind::missing);
  return encoder_->missing();
}

std::uint32_t ColumnTally::add_of_broken() {
  count(FieldKind::unreadable);
  return encoder_->missing();
}

void ColumnTally::add_undeclared(std::string_view field, Whose whose) {
  const std::string_view core = without_blanks(field);
  if (core.size() > kLongestValue) {
    ++unseen_;
    return;
  }
  auto place = seen_.find(std::string(core));
  FoundSlip slip;
  if (place == seen_.end()) {
    const FieldKind kind = encoder_->diagnose(model::Field(core)).kind;
    if (kind == FieldKind::undeclared || kind == FieldKind::unreadable) slip = finder_.find(core);
    if (seen_.size() < kMostValues) place = seen_.emplace(core, Seen{slip, 0, {}}).first;
  } else {
    slip = place->second.slip;
  }
  const auto at = static_cast<std::size_t>(slip.slip);
  ++slips_[at];
  if (slip.meant) meant_[at] = std::min(meant_[at].value_or(*slip.meant), *slip.meant);
  if (place == seen_.end()) {
    gave_up_ = true;
    ++unseen_;
    return;
  }
  Seen& seen = place->second;
  ++seen.fields;
  if (!whose || static_cast<std::int64_t>(seen.people.size()) >= kTellingRecords) return;
  if (std::find(seen.people.begin(), seen.people.end(), *whose) == seen.people.end())
    seen.people.push_back(*whose);
}

bool ColumnTally::is_told(const Seen& seen) const {
  if (mutant(61)) return seen.fields >= kTellingRecords;  // records are counted where people should be
  return (by_people_ ? static_cast<std::int64_t>(seen.people.size()) : seen.fields) >= kTellingRecords;
}

void ColumnTally::add_remarks(ColumnCheck& check) const {
  for (std::size_t at = 1; at < kSlips; ++at) {
    if (slips_[at] == 0) continue;
    const auto example = meant_[at] ? std::optional(column_.label(*meant_[at])) : std::nullopt;
    check.remarks.push_back(slip_remark(static_cast<Slip>(at), slips_[at], example, !categories_));
  }
  if (spaced_ > 0) check.remarks.push_back(spaced_remark(spaced_));
}

void ColumnTally::add_values(ColumnCheck& check) const {
  check.rare = unseen_;
  for (const auto& [value, seen] : seen_) {
    if (!is_told(seen)) {
      check.rare += seen.fields;
      continue;
    }
    const auto& meant = seen.slip.meant;
    check.values.push_back({value, seen.fields, meant ? std::optional(column_.label(*meant)) : std::nullopt});
  }
  std::sort(check.values.begin(), check.values.end(), [](const CheckedValue& a, const CheckedValue& b) {
    return a.records != b.records ? a.records > b.records : a.value < b.value;
  });
}

ColumnCheck ColumnTally::finish() const {
  ColumnCheck check;
  check.name = column_.name;
  check.used = used_;
  check.numbers = !categories_;
  check.fields = fields_;
  check.missing_as = policy_words(column_, column_.missing);
  check.outside_as = policy_words(column_, column_.outside);
  check.gave_up = gave_up_;
  add_remarks(check);
  add_values(check);
  return check;
}

}  // namespace postern::owner
