#pragma once

#include <cstdint>
#include <optional>
#include <span>
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
  /// The scale of every row's prior is learned (docs/priors.md); alpha is then the planning law's.
  bool learned = false;
};
[[nodiscard]] const Kind& kind_of(const MarkovChain& model);

/// How many records a made-up person of a study has, one a time: as many transitions as count, if the
/// column of times has room for them. @pre the study's model is a MarkovChain
[[nodiscard]] std::int64_t made_up_records(const Study& study);

/// A row of the matrix given that the state `stay` is left.
void leave_out(std::span<double> row, std::size_t stay);

}  // namespace postern::model
