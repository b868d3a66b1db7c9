#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "postern/core/error.hpp"
#include "postern/model/helmert.hpp"
#include "postern/model/statistic/fourier.hpp"

namespace postern::model {
namespace {

using Families = std::vector<std::vector<std::string>>;
using Mask = std::uint32_t;  // of columns of a family

constexpr std::size_t kMostFamilies = 4'096;
constexpr std::size_t kMostInFamily = 16;

Rational power_of_two(std::int32_t exponent) {
  const Rational one = 1;
  if (exponent >= 0) return one << static_cast<unsigned long>(exponent);
  return one >> static_cast<unsigned long>(-exponent);
}

/// round(16 log2(c (c + 1) / r)): how much larger than a record a contrast is, in sixteenths of a scale.
/// Decided in integers, as documents depend on it: 2^{2k-1} <= ratio^32 < 2^{2k+1}.
std::int32_t sixteenths(std::uint32_t c, std::uint32_t levels) {
  Rational ratio(contrast_norm(c, levels), levels);
  ratio.canonicalize();
  auto k = static_cast<std::int32_t>(std::lround(16 * std::log2(ratio.get_d())));
  for (int doubling = 0; doubling < 5; ++doubling) ratio *= ratio;
  while (ratio < power_of_two(2 * k - 1)) --k;
  while (ratio >= power_of_two(2 * k + 1)) ++k;
  return k;
}

/// Which subsets of each family's columns are within an earlier family, too.
std::vector<std::vector<Mask>> shared_with_earlier(const Families& families) {
  std::map<std::string, std::vector<std::size_t>> holders;
  std::vector<std::vector<Mask>> out;
  for (std::size_t f = 0; f < families.size(); ++f) {
    std::map<std::size_t, Mask> common;
    for (std::size_t i = 0; i < families[f].size(); ++i) {
      std::vector<std::size_t>& earlier = holders[families[f][i]];
      for (const std::size_t other : earlier) common[other] |= Mask{1} << i;
      earlier.push_back(f);
    }
    std::set<Mask> distinct;
    for (const auto& [other, mask] : common) distinct.insert(mask);
    out.emplace_back(distinct.begin(), distinct.end());
  }
  return out;
}

void check_families(const Families& families, const Schema& schema) {
  if (families.empty() || families.size() > kMostFamilies)
    throw Error(ErrorCode::bad_value, {"coefficients are of 1 to 4096 families of columns"});
  std::size_t cells = 0;
  for (const std::vector<std::string>& family : families) {
    const std::set<std::string> distinct(family.begin(), family.end());
    if (distinct.empty() || distinct.size() != family.size() || distinct.size() > kMostInFamily)
      throw Error(ErrorCode::bad_value, {"a family of coefficients names one to sixteen different columns"});
    std::size_t of_family = 1;
    for (const std::string& name : family) {
      of_family *= schema.at(name).levels();
      if (of_family > kMaxCells) break;
    }
    cells += of_family;
    if (cells > kMaxCells)
      throw Error(ErrorCode::bad_value, {"families of coefficients have more than 2^22 cells together"});
  }
}

/// What the cells of one family's transformed table are.
class FamilyCells {
 public:
  FamilyCells(const std::vector<std::string>& family, const Schema& schema, const std::vector<Mask>& shared)
      : domain_(schema.domain(family)), shared_(shared) {
    for (const std::uint32_t levels : domain_.sizes()) {
      std::vector<std::int32_t>& own = sixteenths_.emplace_back(levels, 0);
      for (std::uint32_t c = 1; c < levels; ++c) own[c] = sixteenths(c, levels);
    }
  }
  /// Calls use(cell, scale) for every coefficient that no earlier family has.
  template <class Use>
  void for_each(const Use& use) const {
    std::vector<std::uint32_t> at(domain_.sizes().size(), 0);
    for (std::size_t cell = 1; cell < domain_.cells(); ++cell) {
      for (std::size_t i = at.size(); i-- > 0;) {
        if (++at[i] < domain_.sizes()[i]) break;
        at[i] = 0;
      }
      Mask mask = 0;
      std::int32_t sum = 0;
      for (std::size_t i = 0; i < at.size(); ++i) {
        if (at[i] != 0) mask |= Mask{1} << i;
        sum += sixteenths_[i][at[i]];
      }
      const bool seen = std::any_of(shared_.begin(), shared_.end(), [&](Mask s) { return (mask & ~s) == 0; });
      if (!seen) use(cell, (sum + 8) >> 4);
    }
  }

 private:
  graph::Domain domain_;
  const std::vector<Mask>& shared_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives it
  std::vector<std::vector<std::int32_t>> sixteenths_;
};

template <class Use>
void for_each_term(const Families& families, const Schema& schema, const Use& use) {
  check_families(families, schema);
  const std::vector<std::vector<Mask>> shared = shared_with_earlier(families);
  for (std::size_t f = 0; f < families.size(); ++f) {
    FamilyCells(families[f], schema, shared[f]).for_each([&](std::size_t cell, std::int32_t scale) {
      use(FourierTerm{static_cast<std::uint32_t>(f), static_cast<std::uint32_t>(cell)}, scale);
    });
  }
}

}  // namespace

std::vector<FourierTerm> fourier_terms(const FourierCoefficients& coefficients, const Schema& schema) {
  std::vector<FourierTerm> out;
  for_each_term(coefficients.families, schema, [&](const FourierTerm& term, std::int32_t scale) {
    if (scale == coefficients.scale) out.push_back(term);
  });
  if (out.empty()) throw Error(ErrorCode::bad_value, {"families have no coefficients of that scale"});
  return out;
}

std::vector<std::int32_t> fourier_scales(const Families& families, const Schema& schema) {
  std::set<std::int32_t> scales;
  for_each_term(families, schema, [&](const FourierTerm&, std::int32_t scale) { scales.insert(scale); });
  return {scales.begin(), scales.end()};
}

Rational fourier_weight(std::int32_t scale) {
  const std::int32_t halvings = scale >> 1;  // rounded down
  const Rational whole = power_of_two(-halvings);
  return scale % 2 == 0 ? whole : Rational(whole * Rational(5, 7));
}

}  // namespace postern::model
