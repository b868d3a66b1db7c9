#pragma once

#include "postern/core/rational.hpp"
#include "postern/model/family.hpp"

namespace postern::model {

/// Prior parameters must lie where the engines are tested: 1e-6 to 1e9.
void check_prior_parameter(const Rational& value);

/// Refuses a model that names a column twice.
void check_different(const std::vector<std::string>& columns);

/// Everything that ties a number's family, its known parameters, its prior and its column together.
void check_number(const Number& model, const Column& column);

}  // namespace postern::model
