#pragma once

#include <string>

#include "postern/model/kinds/markov_chain.hpp"
#include "postern/model/study.hpp"

#include "small_studies.hpp"

namespace postern::model {

struct SmallChain {
  std::uint32_t states = 2;
  std::int64_t last_time = 3;  ///< times are 0 to this
  std::int64_t at_most = 3;
  std::int64_t parts = 1;
  std::optional<std::uint32_t> idle = {};
  Currency currency = Currency::pure;
  std::int64_t n_at_most = 1000;
};

/// A chain of the states c0, c1, ... in the column "x" by the column "t", of people named in "id".
inline Study chain_study(const SmallChain& shape) {
  Study study = small_study(
      {.adjacency = Adjacency::add_remove, .currency = shape.currency, .n_at_most = shape.n_at_most});
  study.privacy.unit = PersonUnit{"id", shape.at_most};
  Column time;
  time.name = "t";
  time.values = IntegerRange{0, shape.last_time, {}};
  time.missing = Drop{};
  time.outside = Drop{};
  Column state = plain_column("x", shape.states);
  state.missing = Drop{};
  state.outside = Drop{};
  study.schema = Schema({time, state});
  MarkovChain chain;
  chain.state = "x";
  chain.time = "t";
  chain.states = shape.states;
  chain.idle = shape.idle;
  chain.parts = shape.parts;
  study.model = chain;
  return study;
}

}  // namespace postern::model
