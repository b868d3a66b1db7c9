#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include "postern/model/measurement.hpp"
#include "postern/model/study.hpp"

// What a measurement of discrete columns costs, from the definition: over all pairs of neighbouring records.

namespace postern::model {

using Record = std::vector<std::uint32_t>;

/// What a record adds to every coordinate of a block, from the definition.
inline std::vector<long> coordinates(const Record& record, const Block& block, const Schema& schema) {
  const std::unique_ptr<Tally> tally = block.statistic.kind().tally(block.statistic, schema);
  Record levels;
  for (const std::string& name : block.statistic.kind().columns(block.statistic))
    levels.push_back(record[*schema.find(name)]);
  tally->add(levels, 1);
  std::vector<long> out;
  for (const Int128 value : tally->values()) out.push_back(static_cast<long>(value));
  return out;
}

inline Rational loss(const Record* before, const Record& after, const Study& study,
                     const Measurement& measured) {
  Rational total = 0;
  for (const Block& block : measured.blocks) {
    std::vector<long> change = coordinates(after, block, study.schema);
    if (before != nullptr) {
      const std::vector<long> left = coordinates(*before, block, study.schema);
      for (std::size_t j = 0; j < change.size(); ++j) change[j] -= left[j];
    }
    for (const long d : change) {
      total += study.privacy.currency == Currency::pure
                   ? Rational(block.noise.parameter * std::abs(d))
                   : Rational(Rational(d * d) / (2 * block.noise.parameter));
    }
  }
  return total;
}

/// The dearest change of one record, by trying all of them.
inline Rational worst_loss(const Study& study, const Measurement& measured) {
  const graph::Domain domain = study.schema.domain(columns_of(study.model));
  Rational worst = 0;
  for (std::size_t x = 0; x < domain.cells(); ++x) {
    const Record after = domain.levels_of(x);
    if (study.privacy.adjacency == Adjacency::add_remove) {
      worst = std::max(worst, loss(nullptr, after, study, measured));
      continue;
    }
    for (std::size_t y = 0; y < x; ++y) {
      const Record before = domain.levels_of(y);
      worst = std::max(worst, loss(&before, after, study, measured));
    }
  }
  return worst;
}

}  // namespace postern::model
