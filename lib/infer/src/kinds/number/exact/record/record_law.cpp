#include "record_law.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/special.hpp"

#include "level_blocks.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kMostLevels = 1100;  ///< looked at one by one
constexpr double kLeastKept = 1e-250;      ///< below, masses of levels have no digits left

}  // namespace

RecordLaw::RecordLaw(const NumberProblem& problem, double n)
    : law_(*problem.law),
      number_(problem.number),
      whole_(problem.whole),
      lattice_(sum_lattice(problem.number)) {
  place_.reserve(number_.levels());
  for (const std::int64_t k : number_.values.adds)
    place_.push_back((static_cast<double>(k) - lattice_.base) / lattice_.step);
  if (place_.size() > kMostLevels) fine_ = std::make_unique<LevelBlocks>(law_, number_, place_, lattice_, n);
}
RecordLaw::~RecordLaw() = default;

bool RecordLaw::nodes(const model::Theta& theta, RecordNodes& out) const {
  out.clear();
  if (fine_ ? fine_nodes(theta, out) : level_nodes(theta, out)) return true;
  return number_.below < 0 && number_.above < 0 && far_nodes(theta, out);
}

/// Where next to nothing is kept, and masses of levels underflow: by their logarithms.
bool RecordLaw::far_nodes(const model::Theta& theta, RecordNodes& out) const {
  out.clear();
  std::vector<double> log_mass;
  for (std::size_t l = 0; l < place_.size(); ++l) {
    const double to = number_.edges[l + 1] - (whole_ ? 1 : 0);
    log_mass.push_back(law_.segment(theta, {number_.edges[l], to}).log_mass);
  }
  const double log_kept = log_sum_exp(log_mass);
  if (!std::isfinite(log_kept)) return false;
  for (std::size_t l = 0; l < place_.size(); ++l) {
    const double mass = std::exp(log_mass[l] - log_kept);
    if (mass > 0) out.add(place_[l], mass);
  }
  return true;
}

bool RecordLaw::level_nodes(const model::Theta& theta, RecordNodes& out) const {
  std::vector<double> masses;
  const double kept = model::level_masses(law_, theta, number_, masses);
  if (!(kept > kLeastKept)) return false;
  for (std::size_t l = 0; l < masses.size(); ++l) {
    if (masses[l] > 0) out.add(place_[l], masses[l]);
  }
  return !out.at.empty();
}

/// Adds the outside masses where the column's policy puts them, in order, and scales to 1.
bool RecordLaw::fine_nodes(const model::Theta& theta, RecordNodes& out) const {
  const model::Tails outside = fine_->nodes(theta, out);
  const auto place = [&](std::int64_t level, double mass) {
    if (level < 0 || !(mass > 0)) return;
    const double at = place_[static_cast<std::size_t>(level)];
    const auto where = std::lower_bound(out.at.begin(), out.at.end(), at) - out.at.begin();
    out.at.insert(out.at.begin() + where, at);
    out.mass.insert(out.mass.begin() + where, mass);
  };
  place(number_.below, outside.below);
  place(number_.above, outside.above);
  const double sum = std::accumulate(out.mass.begin(), out.mass.end(), 0.0);
  if (!(sum > kLeastKept)) return false;
  for (double& mass : out.mass) mass /= sum;
  return true;
}

}  // namespace postern::infer
