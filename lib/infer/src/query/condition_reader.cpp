#include "condition_reader.hpp"

#include <algorithm>

#include "postern/core/error.hpp"

#include "comparison.hpp"

namespace postern::infer {

ConditionReader::ConditionReader(const std::string& text, const model::Study& study)
    : text_(text),
      study_(study),
      kind_(kind_of(study.model)),
      columns_(model::columns_of(study.model).size()) {}

void ConditionReader::fault() const {
  const std::string name = kind_.event_names(study_).front();
  const auto first = kind_.event_place(name, study_);
  throw Error(
      ErrorCode::bad_option,
      {"query '", from_option(text_), "' is not understood; write it like \"P(", from_document(name), " = ",
       from_document(study_.schema.at(first ? first->column : name).label(0)),
       ")\", \"P(a = x, b in {y, z} | c >= 3)\" or a sum, difference, product or ratio of such; a value "
       "that holds a comma, a bracket or a bar goes in double quotes"});
}

char ConditionReader::peek(std::size_t& at) const {
  while (at < text_.size() && text_[at] == ' ') ++at;
  return at < text_.size() ? text_[at] : '\0';
}

void ConditionReader::take(char c, std::size_t& at) const {
  if (peek(at) != c) fault();
  ++at;
}

/// A name or a value: quoted, or up to one of the stops.
std::string ConditionReader::word(std::string_view stops, std::size_t& at) const {
  if (peek(at) == '"') {
    const std::size_t end = text_.find('"', at + 1);
    if (end == std::string::npos) fault();
    std::string quoted = text_.substr(at + 1, end - at - 1);
    at = end + 1;
    return quoted;
  }
  const std::size_t end = std::min(text_.find_first_of(stops, at), text_.size());
  std::string plain = text_.substr(at, end - at);
  plain.erase(plain.find_last_not_of(' ') + 1);
  at = end;
  if (plain.empty()) fault();
  return plain;
}

Event ConditionReader::conditions(std::size_t& at) {
  Event event;
  event.levels.resize(columns_);
  condition(event, at);
  while (peek(at) == ',') {
    ++at;
    condition(event, at);
  }
  return event;
}

void ConditionReader::condition(Event& event, std::size_t& at) const {
  std::string name = word("=<>!{,|()", at);
  // "education in {": the word before the brace belongs to it.
  if (peek(at) == '{' && name.ends_with(" in")) {
    name.erase(name.size() - 3);
    name.erase(name.find_last_not_of(' ') + 1);
  } else if (text_.compare(at, 2, "in") == 0) {  // behind a quoted name
    at += 2;
    if (peek(at) != '{') fault();
  }
  const std::optional<EventPlace> found = kind_.event_place(name, study_);
  if (!found) refuse(name, kind_.event_names(study_), "a column of the model");
  const std::vector<bool> allowed = levels(study_.schema.at(found->column), at);
  if (event.levels.size() <= found->place) event.levels.resize(found->place + 1);
  std::vector<bool>& kept = event.levels[found->place];
  if (kept.empty()) {
    kept = allowed;
  } else {
    for (std::size_t l = 0; l < kept.size(); ++l) kept[l] = kept[l] && allowed[l];
  }
}

/// What stands behind a column's name: "= x", "!= x", "in {x, y}", "< 3".
std::vector<bool> ConditionReader::levels(const model::Column& column, std::size_t& at) const {
  std::vector<bool> out(column.levels());
  const char sign = peek(at);
  const bool equal_follows = at + 1 < text_.size() && text_[at + 1] == '=';
  if (sign == '<' || sign == '>') {
    at += equal_follows ? 2 : 1;
    const std::string text = word(",|)", at);
    const auto bound = parse_decimal(text);
    if (!bound)
      throw Error(ErrorCode::bad_option, {"query: '", from_option(text), "' is no number to compare with"});
    const Comparison comparison = sign == '<' ? (equal_follows ? Comparison::at_most : Comparison::less)
                                              : (equal_follows ? Comparison::at_least : Comparison::more);
    return levels_where(column, comparison, *bound);
  }
  if (sign == '{') {
    do {
      ++at;
      out[value(column, ",}", at)] = true;
    } while (peek(at) == ',');
    take('}', at);
    return out;
  }
  const bool differs = sign == '!';
  if (differs) ++at;
  take('=', at);
  out[value(column, ",|)", at)] = true;
  if (differs) out.flip();
  return out;
}

std::uint32_t ConditionReader::value(const model::Column& column, std::string_view stops,
                                     std::size_t& at) const {
  (void)peek(at);
  const std::size_t start = at;
  std::string text = word(stops, at);
  // Labels of real intervals hold a comma and a bracket of their own: [0,10) or [10,20].
  while (!column.find_level(text) && text.starts_with('[') && at < text_.size() && text_[at] != '|')
    text += text_[at++];
  if (const auto level = column.find_level(text)) return *level;
  std::vector<std::string> labels;
  for (std::uint32_t i = 0; i < std::min(column.levels(), 1000U); ++i) labels.push_back(column.label(i));
  refuse_unquoted(start, at, labels);
  refuse(text, labels, "a value of that column");
}

/// Refuses a value that was cut at a comma, a bracket or a bar of its own.
void ConditionReader::refuse_unquoted(std::size_t start, std::size_t end,
                                      const std::vector<std::string>& labels) const {
  for (const std::string& label : labels) {
    if (start + label.size() <= end || text_.compare(start, label.size(), label) != 0) continue;
    throw Error(ErrorCode::bad_option, {"query: the value ", from_document(label),
                                        " holds a comma, a bracket or a bar; put it in double quotes: \"",
                                        from_document(label), "\""});
  }
}

void ConditionReader::refuse(const std::string& wanted, const std::vector<std::string>& known,
                             const char* what) const {
  if (const auto nearest = model::nearest_name(wanted, known)) {
    throw Error(ErrorCode::bad_option, {"query: '", from_option(wanted), "' is not ", quote(what, 40),
                                        "; is it '", from_document(*nearest), "'?"});
  }
  std::string all;
  for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
  throw Error(ErrorCode::bad_option,
              {"query: '", from_option(wanted), "' is not ", quote(what, 40), "; it has ", from_option(all)});
}

Event both(const Event& a, const Event& b) {
  Event out = a;
  out.levels.resize(std::max(a.levels.size(), b.levels.size()));
  for (std::size_t c = 0; c < b.levels.size(); ++c) {
    if (b.levels[c].empty()) continue;
    if (out.levels[c].empty()) {
      out.levels[c] = b.levels[c];
      continue;
    }
    for (std::size_t l = 0; l < out.levels[c].size(); ++l)
      out.levels[c][l] = out.levels[c][l] && b.levels[c][l];
  }
  return out;
}

bool impossible(const Event& event) {
  return std::any_of(event.levels.begin(), event.levels.end(), [](const std::vector<bool>& allowed) {
    return !allowed.empty() && std::find(allowed.begin(), allowed.end(), true) == allowed.end();
  });
}

}  // namespace postern::infer
