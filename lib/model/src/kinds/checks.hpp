#pragma once

#include <string>
#include <vector>

#include "postern/core/rational.hpp"
#include "postern/model/schema.hpp"

namespace postern::model {

/// The column that the study's model names as `column`.
[[nodiscard]] const Column& named_column(const std::string& name, const Schema& schema);
/// Prior parameters must lie where the engines are tested: 1e-6 to 1e9.
[[nodiscard]] bool may_be_parameter(const Rational& value);
void check_prior_parameter(const Rational& value);
/// Refuses a model that names a column twice.
void check_different(const std::vector<std::string>& columns);

[[nodiscard]] std::vector<Rational> times(std::vector<Rational> numbers, const Rational& factor);

/// "8, 2"
[[nodiscard]] std::string joined(const std::vector<Rational>& numbers);
[[nodiscard]] std::string joined(const std::vector<std::string>& parts, const char* glue);
/// "1,048,576"
[[nodiscard]] std::string with_commas(std::size_t number);

}  // namespace postern::model
