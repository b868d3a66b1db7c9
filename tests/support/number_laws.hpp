#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "number_studies.hpp"

namespace postern::model {

/// A family with its known parameters filled in, and thetas to try.
struct KnownLaw {
  const NumberFamily* family = nullptr;
  std::vector<Rational> known;
  std::shared_ptr<const NumberLaw> law;
  std::vector<Theta> thetas;

  [[nodiscard]] bool two() const { return family->parameters.size() == 2; }
  [[nodiscard]] Transform transform() const { return family->transform(known); }
};

inline std::vector<Theta> some_thetas(const KnownLaw& k) {
  if (k.two()) return {{-1, 0.5}, {2, 4}};
  switch (k.law->space(0)) {
    case ParameterSpace::unit:
      return {{0.2}, {0.7}};
    case ParameterSpace::positive:
      return {{0.5}, {3}};
    case ParameterSpace::real:
      return {{-1}, {2.5}};
  }
  return {};
}

inline std::vector<KnownLaw> known_laws() {
  std::vector<KnownLaw> laws;
  for (const NumberFamily& family : number_families()) {
    KnownLaw k;
    k.family = &family;
    k.known = number_model(family, {2, 9}).known;
    k.law = family.law(k.known);
    k.thetas = some_thetas(k);
    laws.push_back(std::move(k));
  }
  return laws;
}

/// "negative_binomial": a test's name.
inline std::string test_name(std::string_view family) {
  std::string name(family);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace postern::model
