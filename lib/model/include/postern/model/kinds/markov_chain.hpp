#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "postern/core/rational.hpp"
#include "postern/model/model.hpp"

namespace postern::model {

/// A time-homogeneous Markov chain of which many people are paths: P(next state | state) is one matrix,
/// whoever and whenever. Records are in long form, one a person and time; the unit is a person.
struct MarkovChain {
  std::string state;
  std::string time;
  std::uint32_t states = 0;           ///< levels of the state's column
  std::optional<std::uint32_t> idle;  ///< staying in it is not counted: its row is that of leaving it
  std::int64_t parts = 1000;          ///< weights of transitions are multiples of 1/parts
  Rational alpha{1, 2};               ///< Dirichlet prior, of each cell of the matrix and of the first state
};
[[nodiscard]] const Kind& kind_of(const MarkovChain& model);

}  // namespace postern::model
