#pragma once

#include "postern/owner/measure.hpp"

#include "network_audit.hpp"

namespace postern::owner {

using Blocks = std::vector<std::vector<Int128>>;

/// What a release adds noise to, the records read and added up as it does it. @pre levels fit a byte
inline Blocks measured(const model::Study& study, const model::NoisePlan& plan,
                       const std::vector<Record>& records) {
  const std::vector<std::string> names = model::columns_of(study.model);
  std::vector<std::uint32_t> levels;
  std::vector<CodedColumn> columns;
  for (std::size_t c = 0; c < names.size(); ++c) {
    levels.push_back(study.schema.at(names[c]).levels());
    Wiped<std::uint8_t> codes;
    for (const Record& record : records) codes.push_back(static_cast<std::uint8_t>(record[c]));
    columns.emplace_back(std::move(codes));
  }
  const Records coded(names, levels, std::move(columns), records.size());
  return measure(coded, study.schema, plan.measurement, 1);
}

/// What outcomes can tell of a and b at the most, by the noise of each coordinate.
inline double price(const model::NoisePlan& plan, const Blocks& a, const Blocks& b) {
  double total = 0;
  for (std::size_t block = 0; block < a.size(); ++block) {
    const model::Noise& noise = plan.measurement.blocks[block].noise;
    const double p = noise.parameter.get_d();
    for (std::size_t j = 0; j < a[block].size(); ++j) {
      const auto change = static_cast<double>(a[block][j] - b[block][j]);
      total +=
          noise.kind == model::NoiseKind::discrete_laplace ? p * std::abs(change) : change * change / (2 * p);
    }
  }
  return total;
}

/// The worst pair of neighbours among sets of one record, or of none and one.
struct Worst {
  double loss = 0;
  Neighbours pair{"none", 0, 0, {}, {}};
};

inline Worst worst_neighbours(const model::Study& study, const model::NoisePlan& plan) {
  const graph::Domain domain = study.schema.domain(model::columns_of(study.model));
  std::vector<Blocks> all;
  for (std::size_t cell = 0; cell < domain.cells(); ++cell)
    all.push_back(measured(study, plan, {domain.levels_of(cell)}));
  const bool joins = study.privacy.adjacency == Adjacency::add_remove;
  const std::vector<Blocks> others = joins ? std::vector<Blocks>{measured(study, plan, {})} : all;
  Worst worst;
  for (const Blocks& a : others) {
    for (const Blocks& b : all) {
      const double loss = price(plan, a, b);
      if (loss <= worst.loss) continue;
      worst = {loss, {"worst", joins ? 0 : 1, 1, a, b}};
    }
  }
  return worst;
}

}  // namespace postern::owner
