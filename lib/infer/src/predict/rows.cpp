#include "postern/infer/rows.hpp"

#include <algorithm>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/printable.hpp"
#include "postern/infer/public_tally.hpp"
#include "postern/model/sequences.hpp"

#include "query/undeclared.hpp"

namespace postern::infer {

std::vector<std::string> row_columns(const model::Study& study) {
  std::vector<std::string> out = model::columns_of(study.model);
  const auto* person = std::get_if<model::PersonUnit>(&study.privacy.unit);
  if (person != nullptr && model::ordered_by(study.model)) out.push_back(person->column);
  return out;
}

RowReader::RowReader(const model::Study& study)
    : sequences_(row_columns(study).size() > model::columns_of(study.model).size()) {
  for (const std::string& name : model::columns_of(study.model))
    places_.push_back({name, model::Encoder(keeping_declared(study.schema.at(name)))});
  rows_.columns = places_.size();
}

void RowReader::add(std::span<const std::optional<std::string_view>> fields) {
  if (sequences_) {
    const std::string id(trimmed(fields.back().value_or("")));
    const auto fresh = static_cast<std::int32_t>(people_.size());
    rows_.people.push_back(id.empty() ? -1 : people_.try_emplace(id, fresh).first->second);
  }
  for (std::size_t c = 0; c < places_.size(); ++c) {
    Place& place = places_[c];
    const model::Diagnosis found = fields[c] ? place.encoder.diagnose(model::Field(*fields[c]))
                                             : model::Diagnosis{model::FieldKind::missing, model::kDropped};
    const std::uint32_t level = found.level;
    place.beyond += found.kind == model::FieldKind::below || found.kind == model::FieldKind::above ? 1 : 0;
    rows_.levels.push_back(level == model::kDropped ? -1 : static_cast<std::int32_t>(level));
    if (level != model::kDropped || !fields[c]) continue;
    const std::string_view text = trimmed(*fields[c]);
    if (text.empty()) continue;
    ++place.undeclared;
    count_other(place.others, text);
  }
}

Rows RowReader::take() {
  for (const Place& place : places_) {
    if (place.beyond > 0) {
      rows_.warnings.push_back(
          {"rows-clamped", std::to_string(place.beyond) + " of " + std::to_string(rows_.size()) +
                               " rows hold in column " + printable(place.name) +
                               " a number beyond its declared bounds; it counts as the bound: nothing was "
                               "measured beyond, and these predictions are not to be relied on"});
    }
    if (place.undeclared == 0) continue;
    rows_.warnings.push_back(
        {"rows-undeclared", std::to_string(place.undeclared) + " of " + std::to_string(rows_.size()) +
                                " rows hold in column " + printable(place.name) +
                                " what the study does not declare: " + told(place.others) +
                                "; it counts as missing. Write it as the study does"});
  }
  return std::exchange(rows_, {});
}

Rows read_rows(const std::vector<std::vector<std::optional<std::string>>>& columns,
               const model::Study& study) {
  RowReader reader(study);
  std::size_t rows = 0;
  for (const auto& column : columns) rows = std::max(rows, column.size());
  const bool even = std::all_of(columns.begin(), columns.end(),
                                [&](const auto& column) { return column.empty() || column.size() == rows; });
  if (!even || columns.size() != row_columns(study).size())
    throw Error(ErrorCode::bad_option, {"the columns of the rows are not equally long"});
  std::vector<std::optional<std::string_view>> fields(columns.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const bool there = !columns[c].empty() && columns[c][row];
      fields[c] = there ? std::optional<std::string_view>(*columns[c][row]) : std::nullopt;
    }
    reader.add(fields);
  }
  return reader.take();
}

}  // namespace postern::infer
