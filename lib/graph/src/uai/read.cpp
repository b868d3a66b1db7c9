#include <cmath>

#include "postern/graph/uai.hpp"

#include "uai/words.hpp"

namespace postern::graph {
namespace {

using uai::Words;

constexpr double kMostCells = 0x1p26;

UaiNetwork::Kind take_kind(Words& words) {
  const std::string_view word = words.take("MARKOV or BAYES");
  if (word == "MARKOV") return UaiNetwork::Kind::markov;
  if (word == "BAYES") return UaiNetwork::Kind::bayes;
  throw words.error(ErrorCode::study_syntax, "expected MARKOV or BAYES");
}

Variables take_scope(Words& words, const Sizes& sizes) {
  const std::uint32_t count = words.take_count("the number of variables of a table");
  Variables out;
  for (std::uint32_t i = 0; i < count; ++i) {
    out.push_back(words.take_count("a variable"));
    if (out.back() >= sizes.size()) {
      throw words.error(ErrorCode::bad_value, "variable " + std::to_string(out.back()) + " is none of 0 to " +
                                                  std::to_string(sizes.size() - 1));
    }
    for (std::size_t k = 0; k + 1 < out.size(); ++k) {
      if (out[k] == out.back()) throw words.error(ErrorCode::bad_value, "a variable is twice in one table");
    }
  }
  return out;
}

std::vector<double> take_weights(Words& words, std::size_t cells) {
  const std::uint32_t count = words.take_count("the number of weights of a table");
  if (count != cells) {
    throw words.error(ErrorCode::bad_value, "expected " + std::to_string(cells) +
                                                " weights, one a cell of the table, found " +
                                                std::to_string(count));
  }
  std::vector<double> out;
  for (std::size_t i = 0; i < cells; ++i) {
    out.push_back(words.take_number("a weight"));
    if (!(out.back() >= 0) || std::isinf(out.back()))
      throw words.error(ErrorCode::bad_value, "a weight is a number, and not negative");
  }
  return out;
}

}  // namespace

UaiNetwork parse_uai(std::string_view text, std::string_view file) {
  Words words(text, file);
  UaiNetwork out;
  out.kind = take_kind(words);
  const std::uint32_t variables = words.take_count("the number of variables");
  for (std::uint32_t v = 0; v < variables; ++v) {
    out.sizes.push_back(words.take_count("the number of levels of a variable"));
    if (out.sizes.back() == 0) throw words.error(ErrorCode::bad_value, "a variable has one level or more");
  }
  const std::uint32_t tables = words.take_count("the number of tables");
  double cells = 0;
  for (std::uint32_t t = 0; t < tables; ++t) {
    out.tables.push_back({take_scope(words, out.sizes), {}});
    cells += cells_of(out.tables.back().variables, out.sizes);
    if (cells > kMostCells)
      throw words.error(ErrorCode::bad_value, "the tables up to this one have more than 67,108,864 cells");
  }
  for (UaiNetwork::Table& table : out.tables)
    table.weights = take_weights(words, static_cast<std::size_t>(cells_of(table.variables, out.sizes)));
  if (!words.end()) {
    (void)words.take("the end");
    throw words.error(ErrorCode::study_syntax, "expected the end after the last table");
  }
  return out;
}

Evidence parse_uai_evidence(std::string_view text, std::span<const std::uint32_t> sizes,
                            std::string_view file) {
  Words words(text, file);
  std::vector<std::uint32_t> numbers;
  while (!words.end()) numbers.push_back(words.take_count("a whole number"));
  if (numbers.empty()) return {};
  const auto fits = [&](std::size_t at) {
    return at < numbers.size() && numbers.size() == at + 1 + 2 * std::size_t{numbers[at]};
  };
  std::size_t at = 0;
  if (!fits(0)) {
    if (numbers[0] != 1 || !fits(1)) {
      throw words.error(ErrorCode::study_syntax,
                        "expected the number of variables seen, then each with its level");
    }
    at = 1;
  }
  Evidence out;
  for (++at; at < numbers.size(); at += 2) out.push_back({numbers[at], numbers[at + 1]});
  check_evidence(out, sizes);
  return out;
}

}  // namespace postern::graph
