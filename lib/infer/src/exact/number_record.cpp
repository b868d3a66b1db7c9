#include "exact/number_record.hpp"

#include <numeric>

namespace postern::infer {
namespace {

/// What the levels add, as multiples of the widest step that fits all.
SumLattice lattice_of(const std::vector<std::int64_t>& adds) {
  std::int64_t step = 0;
  for (const std::int64_t k : adds) step = std::gcd(step, k - adds.front());
  return {static_cast<double>(adds.front()), static_cast<double>(step == 0 ? 1 : step),
          static_cast<double>(adds.back())};
}

}  // namespace

RecordLaw::RecordLaw(const NumberProblem& problem)
    : law_(*problem.law), number_(problem.number), lattice_(lattice_of(problem.number.values.adds)) {
  place_.reserve(number_.levels());
  for (const std::int64_t k : number_.values.adds)
    place_.push_back((static_cast<double>(k) - lattice_.base) / lattice_.step);
}

bool RecordLaw::nodes(const model::Theta& theta, RecordNodes& out) const {
  out.clear();
  std::vector<double> masses;
  const double kept = model::level_masses(law_, theta, number_, masses);
  if (!(kept > 0)) return false;
  for (std::size_t l = 0; l < masses.size(); ++l) {
    if (masses[l] > 0) out.add(place_[l], masses[l]);
  }
  return !out.at.empty();
}

}  // namespace postern::infer
