#include "schema.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "postern/core/error.hpp"
#include "postern/model/schema.hpp"

#include "column.hpp"
#include "records/csv/header.hpp"

namespace postern::owner {
namespace {

/// How the table is called in messages.
Quotation name_of(const std::string& origin) {
  return from_option(origin.empty() ? "the table" : std::string("'").append(origin).append("'"));
}

[[noreturn]] void refuse_absent(const std::vector<std::string>& names, const std::string& name,
                                const std::string& origin) {
  if (const auto other = find_case(names, name)) {
    throw Error(ErrorCode::column_absent,
                {name_of(origin), " has no column '", from_study(name), "', but has '", from_header(*other),
                 "': spell them alike, capitals too"});
  }
  if (const auto nearest = model::nearest_name(name, names)) {
    throw Error(ErrorCode::column_absent, {name_of(origin), " has no column '", from_study(name),
                                           "'; did you mean '", from_header(*nearest), "'?"});
  }
  throw Error(ErrorCode::column_absent, {name_of(origin), " has no column '", from_study(name), "'"});
}

[[noreturn]] void refuse_type(const ArrowSchema& child, const std::string& name, const std::string& origin) {
  const auto refuse = [&](const Piece& what) {
    throw Error(ErrorCode::unsupported,
                {"the column '", from_study(name), "' of ", name_of(origin), " holds ", what,
                 ", which are neither text nor numbers; cast it to text, integers, decimals or floats"});
  };
  switch (classify_foreign(child)) {
    case ForeignType::time:
      refuse("dates or times");
      break;
    case ForeignType::nested:
      refuse("lists, structs or other nested values");
      break;
    case ForeignType::binary:
      refuse("binary values of fixed size");
      break;
    case ForeignType::other:
      break;
  }
  refuse("values of an unusual type");
  throw Error(ErrorCode::internal, {"a type was neither read nor refused"});
}

[[noreturn]] void refuse_extension(std::string_view extension, const std::string& name,
                                   const std::string& origin) {
  throw Error(ErrorCode::unsupported,
              {"the column '", from_study(name), "' of ", name_of(origin), " has the extension type '",
               from_header(extension),
               "', whose stored values do not say what it means; cast it to text, integers, decimals or "
               "floats"});
}

/// Whether some value of a number's type would be spelt as this label: plain digits, as a file has them.
bool spells_number(std::string_view label, bool whole) {
  if (!whole && (label == "inf" || label == "-inf")) return true;
  const bool minus = label.starts_with('-');
  if (minus) label.remove_prefix(1);
  const std::size_t point = label.find('.');
  const std::string_view digits = label.substr(0, point);
  const auto all_digits = [](std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (!all_digits(digits) || (digits.size() > 1 && digits.front() == '0')) return false;
  if (point == std::string_view::npos) return !minus || digits != "0";
  const std::string_view fraction = label.substr(point + 1);
  return !whole && all_digits(fraction) && fraction.back() != '0';
}

/// What every value of a type would miss: the labels of a column that declares none of its kind.
void refuse_undeclared_numbers(const ArrowType& values, const model::Column& column,
                               const std::string& origin) {
  const auto* categories = std::get_if<model::Categories>(&column.values);
  const bool whole = values.kind == ArrowType::Kind::whole;
  const bool fractions = values.kind == ArrowType::Kind::real || values.kind == ArrowType::Kind::decimal;
  if (categories == nullptr || (!whole && !fractions)) return;
  const auto& labels = categories->labels;
  const auto fits = [whole](const std::string& label) { return spells_number(label, whole); };
  if (std::any_of(labels.begin(), labels.end(), fits)) return;
  throw Error(
      ErrorCode::unsupported,
      {"the column '", from_study(column.name), "' of ", name_of(origin), " holds ",
       whole ? Piece("integers") : Piece("decimals or floats"),
       ", but none of the study's categories for it is one as they are written here, such as \"1\" or "
       "\"2.5\"; every record would be undeclared. Turn the numbers into those categories first, or "
       "declare the numbers"});
}

}  // namespace

std::vector<std::string> column_names(const ArrowSchema& table, const std::string& origin) {
  const bool sound = table.format != nullptr && std::string_view(table.format) == "+s" &&
                     table.n_children >= 0 && (table.n_children == 0 || table.children != nullptr);
  std::vector<std::string> names;
  for (std::int64_t i = 0; sound && i < table.n_children; ++i) {
    if (table.children[i] == nullptr) break;
    names.emplace_back(table.children[i]->name == nullptr ? "" : table.children[i]->name);
  }
  if (!sound || names.size() != static_cast<std::size_t>(table.n_children))
    throw Error(ErrorCode::input_unreadable, {name_of(origin), " is not a table: it has no named columns"});
  return names;
}

std::size_t find_arrow_column(const std::vector<std::string>& names, const std::string& name,
                              const std::string& origin) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) refuse_absent(names, name, origin);
  if (std::find(found + 1, names.end(), name) != names.end()) {
    throw Error(ErrorCode::column_repeated,
                {name_of(origin), " has the column '", from_study(name), "' more than once"});
  }
  return static_cast<std::size_t>(found - names.begin());
}

ArrowType check_id_type(const ArrowSchema& child, const std::string& name, const std::string& origin) {
  if (const auto extension = strange_extension(child)) refuse_extension(*extension, name, origin);
  const auto type = parse_arrow_type(child);
  if (!type) refuse_type(child, name, origin);
  return *type;
}

ArrowType check_type(const ArrowSchema& child, const model::Column& column, const std::string& origin) {
  ArrowType type = check_id_type(child, column.name, origin);
  const ArrowType& values = type.kind == ArrowType::Kind::look_up ? *type.values : type;
  if (values.kind == ArrowType::Kind::boolean && !truth_labels(column)) {
    throw Error(ErrorCode::unsupported,
                {"the column '", from_study(column.name), "' of ", name_of(origin),
                 " holds booleans, but the study's categories for it name no pair such as \"false\" and "
                 "\"true\", \"no\" and \"yes\", or \"0\" and \"1\""});
  }
  refuse_undeclared_numbers(values, column, origin);
  return type;
}

void refuse_broken_table(const std::string& origin) {
  throw Error(ErrorCode::input_unreadable, {name_of(origin), " could not be read to its end"});
}

void check_declared_columns(const ArrowSchema& table, const model::Schema& schema,
                            const std::optional<std::string>& id_column, const std::string& origin) {
  const std::vector<std::string> names = column_names(table, origin);
  for (const model::Column& column : schema.columns()) {
    const std::size_t place = find_arrow_column(names, column.name, origin);
    (void)check_type(*table.children[place], column, origin);
  }
  refuse_counts_as_records(names, schema, id_column);
}

}  // namespace postern::owner
