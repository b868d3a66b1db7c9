#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postern::infer {

/// Whether `what` is the label of a parameter, with or without the double quotes around values in which a
/// query has them.
[[nodiscard]] bool names_parameter(std::string_view what, std::string_view label);

// An assumed truth in words: "mean 38, variance 180".

/// One thing that is assumed: "mean" 38.
struct Assumption {
  std::string what;
  double value = 0;
};

/// Parts between commas, where a comma ends a part only if the part is whole. Throws bad_option with the
/// example.
[[nodiscard]] std::vector<Assumption> read_assumptions(std::string_view text, const std::string& example);

/// A parameter by everything it is called.
struct NamedParameter {
  std::vector<std::string> words;  ///< the one that messages show first
  bool required = true;
  std::optional<double> value = {};
};

/// The parameters' values, each given once; 0 where one is not given and need not be. Throws bad_option.
[[nodiscard]] std::vector<double> read_values(const std::string& text,
                                              std::vector<NamedParameter> parameters);

[[noreturn]] void refuse_value(std::string_view what, const char* wanted);

}  // namespace postern::infer
