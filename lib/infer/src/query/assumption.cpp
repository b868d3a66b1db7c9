#include "assumption.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/model/schema.hpp"

namespace postern::infer {
namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool is_probability(std::string_view what) { return what.starts_with("P(") || what.starts_with("P ("); }

/// Words and then a number; nothing if it is not that. What begins as a probability ends its words with a
/// bracket, so that the numbers among its values are not taken for its own.
std::optional<Assumption> read_one(std::string_view text) {
  text = without_blanks(text);
  const std::size_t space = text.find_last_of(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const std::string_view what = without_blanks(text.substr(0, space));
  const std::string_view digits = text.substr(space + 1);
  double value = 0;
  const auto [stop, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (fault != std::errc() || stop != digits.data() + digits.size() || !std::isfinite(value))
    return std::nullopt;
  if (is_probability(what) && !what.ends_with(')')) return std::nullopt;
  return Assumption{std::string(what), value};
}

}  // namespace

bool names_parameter(std::string_view what, std::string_view label) {
  if (what == label) return true;
  std::string plain(what);
  std::erase(plain, '"');
  return plain == label;
}

std::vector<Assumption> read_assumptions(std::string_view text, const std::string& example) {
  std::vector<Assumption> out;
  std::size_t begin = 0;
  for (std::size_t end = text.find(','); begin <= text.size(); end = text.find(',', end + 1)) {
    const bool last = end == std::string_view::npos;
    if (last) end = text.size();
    if (auto one = read_one(text.substr(begin, end - begin))) {
      out.push_back(std::move(*one));
      begin = end + 1;
    } else if (last) {
      throw Error(ErrorCode::bad_option,
                  {"at: '", from_option(without_blanks(text.substr(begin))),
                   "' is not understood; write what you assume like \"", from_option(example), "\""});
    }
  }
  return out;
}

namespace {

std::string shown_words(const std::vector<NamedParameter>& parameters) {
  std::string all;
  for (const NamedParameter& one : parameters) {
    if (one.required) all += (all.empty() ? "" : ", ") + one.words.front();
  }
  return all;
}

NamedParameter& find_parameter(std::vector<NamedParameter>& parameters, const std::string& word) {
  std::vector<std::string> known;
  for (NamedParameter& one : parameters) {
    if (std::find(one.words.begin(), one.words.end(), word) != one.words.end()) return one;
    known.insert(known.end(), one.words.begin(), one.words.end());
  }
  if (const auto nearest = model::nearest_name(word, known)) {
    throw Error(
        ErrorCode::bad_option,
        {"at: '", from_option(word), "' is no parameter of this model; is it '", from_study(*nearest), "'?"});
  }
  throw Error(ErrorCode::bad_option, {"at: '", from_option(word), "' is no parameter of this model; it has ",
                                      from_option(shown_words(parameters))});
}

}  // namespace

std::vector<double> read_values(const std::string& text, std::vector<NamedParameter> parameters) {
  std::string example;
  for (const NamedParameter& one : parameters) {
    if (one.required) example += (example.empty() ? "" : ", ") + one.words.front() + " 1";
  }
  for (const Assumption& one : read_assumptions(text, example)) {
    NamedParameter& found = find_parameter(parameters, one.what);
    if (found.value) throw Error(ErrorCode::bad_option, {"at: '", from_option(one.what), "' is given twice"});
    found.value = one.value;
  }
  std::vector<double> out;
  for (const NamedParameter& one : parameters) {
    if (!one.value && one.required) {
      throw Error(ErrorCode::bad_option, {"at says nothing of '", from_study(one.words.front()),
                                          "'; a truth has all of ", from_option(shown_words(parameters))});
    }
    out.push_back(one.value.value_or(0));
  }
  return out;
}

void refuse_value(std::string_view what, const char* wanted) {
  throw Error(ErrorCode::bad_option, {"at: '", from_study(what), "' must be ", quote(wanted, 40)});
}

}  // namespace postern::infer
