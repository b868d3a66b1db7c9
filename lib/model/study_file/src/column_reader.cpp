#include "column_reader.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/model/schema.hpp"

namespace postern::model {
namespace {

Values read_values(const TomlTable& table) {
  table.allow({"categories", "integer", "real", "grid", "cuts", "missing", "outside"});
  const int kinds =
      (table.has("categories") ? 1 : 0) + (table.has("integer") ? 1 : 0) + (table.has("real") ? 1 : 0);
  if (kinds != 1) {
    table.refuse(ErrorCode::missing_key, "",
                 {"a column declares exactly one of `categories`, `integer` or `real`"});
  }
  if (table.has("categories")) {
    table.allow({"categories", "missing", "outside"});
    return Categories{table.texts("categories")};
  }
  if (table.has("integer")) {
    table.allow({"integer", "cuts", "missing", "outside"});
    const auto bounds = table.integers("integer", 2);
    return IntegerRange{bounds[0], bounds[1],
                        table.has("cuts") ? table.integers("cuts") : std::vector<std::int64_t>()};
  }
  table.allow({"real", "grid", "cuts", "missing", "outside"});
  const auto bounds = table.decimals("real", 2);
  return RealRange{bounds[0], bounds[1], table.decimal("grid"),
                   table.has("cuts") ? table.decimals("cuts") : std::vector<Rational>()};
}

Policy read_missing(const TomlTable& table, const Column& column, bool may_drop) {
  const std::string label = table.text("missing");
  if (label == "drop" && !column.find_level(label)) return Drop{};
  return read_level(table, "missing", column, label, may_drop ? PublicText{", or \"drop\""} : PublicText{});
}

Policy read_outside(const TomlTable& table, const Column& column, bool may_drop) {
  if (table.is_table("outside")) {
    const TomlTable outside = table.table("outside");
    outside.allow({"map-to"});
    return read_level(outside, "map-to", column, outside.text("map-to"));
  }
  const std::string text = table.text("outside");
  const bool may_clamp = !std::holds_alternative<Categories>(column.values);
  if (text == "clamp" && may_clamp) return Clamp{};
  if (text == "drop") return Drop{};
  std::string choices = may_clamp ? "\"clamp\", " : "";
  if (may_drop) choices += "\"drop\", ";
  if (!choices.empty()) choices.replace(choices.size() - 2, 2, " or ");
  table.refuse(ErrorCode::bad_value, "outside",
               {"outside is '", from_study(text), "'; write ", from_study(choices), "{ map-to = \"",
                from_study(column.label(0)), "\" }"});
}

}  // namespace

MapTo read_level(const TomlTable& table, const char* key, const Column& column, const std::string& label,
                 const PublicText& or_else) {
  if (const auto level = column.find_level(label)) return {*level};
  std::vector<std::string> labels;
  for (std::uint32_t level = 0; level < std::min(column.levels(), 1000u); ++level)
    labels.push_back(column.label(level));
  const auto nearest = nearest_name(label, labels);
  table.refuse(ErrorCode::bad_value, key,
               {"'", from_study(label), "' is not a declared value of column '", from_study(column.name),
                "'; write one such as '", from_study(nearest.value_or(labels.front())), "'",
                from_study(or_else.str())});
}

Column read_column(const std::string& name, const TomlTable& table, bool may_drop) {
  Column column;
  column.name = name;
  column.values = read_values(table);
  const bool categorical = std::holds_alternative<Categories>(column.values);
  if (categorical) column.outside = column.missing;
  check_column(column);
  if (table.has("missing")) {
    column.missing = read_missing(table, column, may_drop);
    column.missing_declared = true;
    if (categorical) column.outside = column.missing;
  }
  if (table.has("outside")) column.outside = read_outside(table, column, may_drop);
  check_column(column);
  return column;
}

}  // namespace postern::model
