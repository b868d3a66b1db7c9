#include "postern/model/silent.hpp"

#include <algorithm>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/sequences.hpp"

namespace postern::model {
namespace {

constexpr std::size_t kShownColumns = 8;  // that a reader is shown; the study has all

std::string quoted(const std::string& text) { return '"' + text + '"'; }

std::string followed(const Policy& policy, const Column& column) {
  if (std::holds_alternative<Drop>(policy)) return "drops its record";
  if (const auto* map = std::get_if<MapTo>(&policy)) return "counts as " + quoted(column.label(map->level));
  return "counts as the nearest bound";
}

std::string range_text(const Column& column) {
  if (const auto* whole = std::get_if<IntegerRange>(&column.values))
    return std::to_string(whole->lo) + ".." + std::to_string(whole->hi);
  const auto& real = std::get<RealRange>(column.values);
  return to_decimal(real.lo) + ".." + to_decimal(real.hi);
}

std::string column_rule(const Column& column) {
  const std::string name = quoted(column.name);
  const std::string missing = followed(column.missing, column);
  const std::string outside = followed(column.outside, column);
  if (std::holds_alternative<Categories>(column.values)) {
    if (missing == outside) return "an empty or undeclared " + name + ' ' + missing;
    return "an empty " + name + ' ' + missing + ", an undeclared one " + outside;
  }
  return "an empty or unreadable " + name + ' ' + missing + ", one outside " + range_text(column) + ' ' +
         outside;
}

}  // namespace

std::string silent_rules(const Study& study) {
  std::vector<std::string> rules;
  const std::vector<std::string> names = columns_of(study.model);
  for (std::size_t i = 0; i < std::min(names.size(), kShownColumns); ++i)
    rules.push_back(column_rule(study.schema.at(names[i])));
  if (names.size() > kShownColumns)
    rules.push_back("the other " + std::to_string(names.size() - kShownColumns) +
                    " columns follow their own rules");
  if (const auto* person = std::get_if<PersonUnit>(&study.privacy.unit))
    rules.push_back("at most " + std::to_string(person->at_most) +
                    (ordered_by(study.model) ? " transitions" : " records") + " of each " +
                    quoted(person->column) + " are used");
  std::string text = "By the study's rules, and silently";
  for (std::size_t i = 0; i < rules.size(); ++i) text += (i == 0 ? ": " : "; ") + rules[i];
  return text + ". How often that happened is never told.";
}

}  // namespace postern::model
