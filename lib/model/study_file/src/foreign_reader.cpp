#include "foreign_reader.hpp"

#include "postern/core/error.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/model/statistic/table.hpp"

#include "column_reader.hpp"

namespace postern::model {
namespace {

const Column& column_of(const TomlTable& table, const Study& study) {
  const std::string name = table.text("column");
  if (!study.schema.find(name)) {
    table.refuse(ErrorCode::unknown_column, "column",
                 {"there is no column '", from_study(name), "'; declare it under [columns]"});
  }
  return study.schema.at(name);
}

Transform read_transform(const TomlTable& table) {
  if (!table.has("of")) return {};
  const std::string word = table.text("of");
  if (word == "identity") return {};
  if (word == "log") return {Transform::Kind::log, 1};
  table.refuse(ErrorCode::bad_value, "of", {"of is '", from_study(word), "'; write \"identity\" or \"log\""});
}

Statistic read_what(const TomlTable& table, const Study& study) {
  const std::string what = table.text("what");
  if (what == "table") return Table{table.texts("columns")};
  if (what == "records") return RecordCount{};
  if (what == "count") {
    const Column& column = column_of(table, study);
    return LevelCount{column.name, read_level(table, "level", column, table.text("level")).level};
  }
  if (what == "sum" || what == "sum-of-squares")
    return LevelSum{column_of(table, study).name, read_transform(table), what == "sum" ? 1 : 2, false};
  table.refuse(ErrorCode::bad_value, "what",
               {"what is '", from_study(what),
                "'; write \"table\" (columns), \"count\" (column, level), \"sum\" or \"sum-of-squares\" "
                "(column), or \"records\""});
}

ForeignLaw read_law(const TomlTable& table) {
  const std::string text = table.text("noise");
  if (const auto law = parse_foreign_law(text)) return *law;
  table.refuse(ErrorCode::bad_value, "noise",
               {"noise is '", from_study(text),
                "'; write \"laplace\", \"gaussian\", \"discrete-laplace\" or \"discrete-gaussian\""});
}

std::optional<Rational> number_if_there(const TomlTable& table, std::string_view key) {
  return table.has(key) ? std::optional(table.number(key)) : std::nullopt;
}

ForeignBlock read_block(const TomlTable& table, const Study& study) {
  table.allow({"what", "columns", "column", "level", "of", "noise", "scale", "values", "round_to", "at_least",
               "at_most", "threshold"});
  ForeignBlock out;
  out.statistic = read_what(table, study);
  out.law = read_law(table);
  out.scale = table.number("scale");
  out.published = {number_if_there(table, "round_to"), number_if_there(table, "at_least"),
                   number_if_there(table, "at_most"), number_if_there(table, "threshold")};
  out.values = table.numbers_or("values", "absent");
  return out;
}

}  // namespace

Foreign read_foreign(const TomlTable& table, const Study& study) {
  table.allow({"made_by", "record_set", "n", "measured"});
  Foreign out;
  out.made_by = table.text("made_by");
  if (table.has("record_set")) out.record_set = table.text("record_set");
  if (table.has("n")) out.n = table.integer("n");
  for (const TomlTable& one : table.tables("measured")) out.blocks.push_back(read_block(one, study));
  check_foreign(out, study);
  return out;
}

}  // namespace postern::model
