#include "check/records_tally.hpp"

#include <algorithm>
#include <cstring>

#include "postern/core/sha256.hpp"
#include "postern/model/model.hpp"

namespace postern::owner {

RecordsTally::RecordsTally(const model::Study& study) {
  if (const auto* person = std::get_if<model::PersonUnit>(&study.privacy.unit)) {
    id_column_ = person->column;
    at_most_ = person->at_most;
  }
  const std::vector<std::string> used = model::columns_of(study.model);
  columns_.reserve(study.schema.columns().size());
  for (const model::Column& column : study.schema.columns()) {
    names_.push_back(column.name);
    const bool in_model = std::find(used.begin(), used.end(), column.name) != used.end();
    columns_.emplace_back(column, in_model, id_column_.has_value());
  }
}

std::optional<RecordsTally::Person> RecordsTally::digest(MaybeField id) {
  const std::string_view core = without_blanks(id.value_or(""));
  if (core.empty()) return std::nullopt;
  const Digest bytes = sha256(core);
  Person person{};
  std::memcpy(&person, bytes.data(), sizeof person);
  return person;
}

void RecordsTally::count(bool dropped, const std::optional<Person>& person) {
  ++records_;
  if (dropped) {
    ++dropped_;
  } else if (person) {
    people_.push_back(*person);
  } else if (id_column_) {
    ++without_id_;
  }
}

void RecordsTally::add(std::span<const MaybeField> fields, MaybeField id) {
  const auto person = id_column_ ? digest(id) : std::nullopt;
  const Whose whose = person ? Whose(person->high) : std::nullopt;
  bool dropped = false;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::uint32_t level = fields[c] ? columns_[c].add(*fields[c], whose) : columns_[c].add_absent();
    dropped = dropped || (columns_[c].used() && level == model::kDropped);
  }
  count(dropped, person);
}

void RecordsTally::add(BrokenLine fault) {
  ++broken_[static_cast<std::size_t>(fault)];
  bool dropped = false;
  for (ColumnTally& column : columns_)
    dropped = (column.add_of_broken() == model::kDropped && column.used()) || dropped;
  count(dropped, std::nullopt);
}

PeopleCheck RecordsTally::count_people(std::int64_t& kept) {
  PeopleCheck check{at_most_, 0, 0, without_id_};
  std::sort(people_.begin(), people_.end());
  for (auto begin = people_.begin(); begin != people_.end();) {
    const auto end = std::upper_bound(begin, people_.end(), *begin);
    const std::int64_t records = end - begin;
    ++check.people;
    if (records > at_most_) ++check.with_more;
    kept += std::min(records, at_most_);
    begin = end;
  }
  return check;
}

RecordsCheck RecordsTally::finish() {
  RecordsCheck check;
  check.records = records_;
  check.dropped = dropped_;
  if (id_column_) {
    check.people = count_people(check.kept);
  } else {
    check.kept = records_ - dropped_;
  }
  for (std::size_t fault = 0; fault < kBrokenLines; ++fault) {
    if (broken_[fault] > 0)
      check.lines.push_back(line_remark(static_cast<BrokenLine>(fault), broken_[fault]));
  }
  for (const ColumnTally& column : columns_) check.columns.push_back(column.finish());
  return check;
}

}  // namespace postern::owner
