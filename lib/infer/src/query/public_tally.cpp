#include "postern/infer/public_tally.hpp"

#include <algorithm>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/printable.hpp"
#include "postern/infer/kind.hpp"

#include "undeclared.hpp"

namespace postern::infer {
namespace {

bool is_category(const model::Column& column) {
  return std::holds_alternative<model::Categories>(column.values);
}

/// What the study makes of such a field.
std::string fate(const model::Column& column) {
  const model::Policy& policy = is_category(column) ? column.outside : column.missing;
  if (std::holds_alternative<model::Drop>(policy)) return "their rows are left out";
  const auto* map = std::get_if<model::MapTo>(&policy);
  return "they count as '" + printable(column.label(map != nullptr ? map->level : 0)) + "'";
}

}  // namespace

model::Column keeping_all(model::Column column) {
  column.missing = model::MapTo{0};
  column.outside = model::MapTo{0};
  return column;
}

model::Column keeping_declared(model::Column column) {
  column.missing = model::Drop{};
  column.outside = is_category(column) ? model::Policy(model::Drop{}) : model::Policy(model::Clamp{});
  return column;
}

PublicTally::Place::Place(const model::Column& of) : column(&of), encoder(of), probe(keeping_declared(of)) {}

void PublicTally::Place::look_at(std::string_view text) {
  if (probe.encode(model::Field(text)) != model::kDropped) {
    ++declared;
    return;
  }
  const std::string_view value = trimmed(text);
  if (value.empty()) return;
  ++undeclared;
  count_other(others, value);
}

PublicTally::PublicTally(const model::Study& study) {
  const std::vector<std::string> names = model::columns_of(study.model);
  for (const std::string& name : names) places_.emplace_back(study.schema.at(name));
  for (const std::vector<std::string>& columns : kind_of(study.model).public_tables(study)) {
    Table& table = tables_.emplace_back(Table{{}, cells_.size()});
    for (const std::string& column : columns) {
      const auto found = std::find(names.begin(), names.end(), column);
      table.columns.push_back(static_cast<std::size_t>(found - names.begin()));
    }
    cells_.resize(cells_.size() + study.schema.domain(columns).cells());
  }
}

bool PublicTally::add(std::span<const std::optional<std::string_view>> fields) {
  ++rows_;
  bool kept = true;
  for (std::size_t c = 0; c < places_.size(); ++c) {
    Place& place = places_[c];
    if (fields[c]) place.look_at(*fields[c]);
    place.level = fields[c] ? place.encoder.encode(model::Field(*fields[c])) : place.encoder.missing();
    kept = kept && place.level != model::kDropped;
  }
  if (!kept) return false;
  ++kept_;
  for (const Table& table : tables_) {
    std::size_t cell = 0;
    for (const std::size_t c : table.columns) cell = cell * places_[c].encoder.levels() + places_[c].level;
    ++cells_[table.first + cell];
  }
  return true;
}

Warning PublicTally::undeclared_in(const Place& place) const {
  return {"public-rows-undeclared",
          std::to_string(place.undeclared) + " of " + std::to_string(rows_) + " public rows hold in column " +
              printable(place.column->name) + " what the study does not declare: " + told(place.others) +
              "; " + fate(*place.column) + ". Write them as the study does, or leave those rows out"};
}

PublicCounts PublicTally::counts() const {
  PublicCounts out{cells_, kept_, {}};
  for (const Place& place : places_) {
    if (rows_ > 0 && place.declared == 0) {
      const std::string others = place.others.empty() ? "nothing" : told(place.others);
      throw Error(
          ErrorCode::bad_option,
          {"public rows: no row holds a declared value of column '", from_document(place.column->name),
           "', such as '", from_document(place.column->label(0)), "'; there is ", quote(others, 400)});
    }
    if (place.undeclared > 0) out.warnings.push_back(undeclared_in(place));
  }
  return out;
}

}  // namespace postern::infer
