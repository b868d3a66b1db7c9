#include "bif/declarations.hpp"

#include <charconv>
#include <cmath>
#include <utility>

namespace postern::graph::bif {
namespace {

std::string shown(const Token& token) {
  return token.kind == Token::Kind::end ? "the end of the file"
                                        : "'" + std::string(token.text.substr(0, 60)) + "'";
}

Names take_names(Tokens& tokens, std::string_view what) {
  Names out{tokens.peek(), {{}}};
  for (;;) {
    if (tokens.peek().is_word()) {
      out.groups.back().emplace_back(tokens.take().text);
    } else if (tokens.take_if(",")) {
      out.groups.emplace_back();
    } else {
      break;
    }
  }
  std::erase_if(out.groups, [](const auto& group) { return group.empty(); });
  if (out.groups.empty())
    tokens.fail(tokens.peek(), "expected " + std::string(what) + ", found " + shown(tokens.peek()));
  return out;
}

std::string take_name(Tokens& tokens, std::string_view what) {
  const Names names = take_names(tokens, what);
  if (names.groups.size() > 1)
    tokens.fail(names.at, "expected " + std::string(what) + ", found several names");
  return names.by_group().front();
}

std::vector<double> take_numbers(Tokens& tokens) {
  std::vector<double> out;
  for (; !tokens.peek().is(";"); tokens.take_if(",")) {
    const Token token = tokens.peek();
    double value = 0;
    const char* end = token.text.data() + token.text.size();
    const auto read = std::from_chars(token.text.data(), end, value);
    if (token.kind != Token::Kind::word || read.ec != std::errc{} || read.ptr != end ||
        !std::isfinite(value) || std::signbit(value))
      tokens.fail(token, "expected a probability or ';', found " + shown(token));
    out.push_back(value);
    tokens.take();
  }
  tokens.expect(";");
  return out;
}

VariableBlock take_variable(Tokens& tokens) {
  VariableBlock out{tokens.peek(), take_name(tokens, "the name of a variable"), {}};
  tokens.expect("{");
  while (!tokens.take_if("}")) {
    if (tokens.take_if("property")) {
      tokens.skip_property();
      continue;
    }
    const Token at = tokens.peek();
    tokens.expect("type");
    if (!out.levels.empty()) tokens.fail(at, "this variable has a type already");
    if (!tokens.take_if("discrete"))
      tokens.fail(tokens.peek(),
                  "expected 'discrete', found " + shown(tokens.peek()) + "; no other type is read");
    tokens.expect("[");
    const Token number = tokens.take();
    std::size_t count = 0;
    const auto read = std::from_chars(number.text.data(), number.text.data() + number.text.size(), count);
    if (number.kind != Token::Kind::word || read.ec != std::errc{} || count == 0)
      tokens.fail(number, "expected the number of levels, found " + shown(number));
    tokens.expect("]");
    tokens.expect("{");
    out.levels = take_names(tokens, "the levels").count(count);
    if (out.levels.size() != count) {
      tokens.fail(at, "expected " + std::to_string(count) + " levels, found " +
                          std::to_string(out.levels.size()) +
                          "; put names that hold blanks or commas between quotation marks");
    }
    tokens.expect("}");
    tokens.take_if(";");
  }
  if (out.levels.empty())
    tokens.fail(out.at, "this variable has no type; add 'type discrete [ ... ] { ... };'");
  return out;
}

Entry take_entry(Tokens& tokens) {
  Entry out{Entry::Kind::row, tokens.peek(), {}, {}};
  if (tokens.take_if("table")) {
    out.kind = Entry::Kind::table;
  } else if (tokens.take_if("default")) {
    out.kind = Entry::Kind::otherwise;
  } else if (tokens.take_if("(")) {
    out.levels = take_names(tokens, "levels of the parents");
    tokens.expect(")");
  } else {
    tokens.fail(out.at, "expected 'table', 'default', 'property', '(' or '}', found " + shown(out.at));
  }
  out.numbers = take_numbers(tokens);
  return out;
}

ProbabilityBlock take_probability(Tokens& tokens) {
  tokens.expect("(");
  ProbabilityBlock out{tokens.peek(), take_names(tokens, "the name of a variable"), {}, {}};
  if (tokens.take_if("|")) out.parents = take_names(tokens, "the names of parents");
  tokens.expect(")");
  tokens.expect("{");
  while (!tokens.take_if("}")) {
    if (tokens.take_if("property")) {
      tokens.skip_property();
    } else {
      out.entries.push_back(take_entry(tokens));
    }
  }
  return out;
}

void take_network(Tokens& tokens, Declarations& out) {
  if (tokens.peek().is_word()) out.name = take_name(tokens, "the name of the network");
  tokens.expect("{");
  while (!tokens.take_if("}")) {
    if (!tokens.take_if("property"))
      tokens.fail(tokens.peek(), "expected 'property' or '}', found " + shown(tokens.peek()));
    tokens.skip_property();
  }
}

}  // namespace

std::vector<std::string> Names::by_group() const {
  std::vector<std::string> out;
  for (const std::vector<std::string>& group : groups) {
    std::string name = group.front();
    for (std::size_t i = 1; i < group.size(); ++i) name += " " + group[i];
    out.push_back(std::move(name));
  }
  return out;
}

std::vector<std::string> Names::by_word() const {
  std::vector<std::string> out;
  for (const std::vector<std::string>& group : groups) out.insert(out.end(), group.begin(), group.end());
  return out;
}

std::vector<std::string> Names::count(std::size_t wanted) const {
  return groups.size() == wanted ? by_group() : by_word();
}

Declarations parse_declarations(Tokens& tokens) {
  Declarations out;
  bool named = false;
  while (tokens.peek().kind != Token::Kind::end) {
    const Token at = tokens.peek();
    if (tokens.take_if("network")) {
      if (std::exchange(named, true)) tokens.fail(at, "a file holds one network, and this is a second");
      take_network(tokens, out);
    } else if (tokens.take_if("variable")) {
      out.variables.push_back(take_variable(tokens));
    } else if (tokens.take_if("probability")) {
      out.probabilities.push_back(take_probability(tokens));
    } else {
      // A file that is none, perhaps one of records, is not quoted.
      const bool begun = named || !out.variables.empty() || !out.probabilities.empty();
      tokens.fail(at, "expected 'network', 'variable' or 'probability'" +
                          (begun ? ", found " + shown(at) : std::string("; this is no BIF file")));
    }
  }
  if (out.variables.empty()) tokens.fail(tokens.peek(), "the file declares no variable");
  return out;
}

}  // namespace postern::graph::bif
