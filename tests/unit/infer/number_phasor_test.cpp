#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "kinds/number/exact/sum/phasor.hpp"

namespace postern::infer {
namespace {

/// Eleven places and one that fills the last lanes, turned by small and large angles.
struct Phases {
  std::vector<double> angle, weight, cos1, sin1, cos, sin;

  Phases() : cos(12, 0.0), sin(12, 0.0) {
    for (int r = 0; r < 12; ++r) {
      angle.push_back(1e-9 * std::pow(10.0, r));
      weight.push_back(r < 11 ? 1.0 / (r + 2) : 0);
      const double half = std::sin(0.5 * angle.back());
      cos1.push_back(-2 * half * half);
      sin1.push_back(std::sin(angle.back()));
    }
  }
  PhasorSum step(PhasorStep by) {
    return by({weight.data(), cos1.data(), sin1.data(), cos.data(), sin.data(), cos.size()});
  }
};

TEST(Phasor, AddsUpWeightedPhasesLessOne) {
  Phases phases;
  for (int j = 1; j <= 500; ++j) {
    const PhasorSum found = phases.step(phasor_step());
    double re = 0;
    double im = 0;
    for (std::size_t r = 0; r < phases.angle.size(); ++r) {
      const double half = std::sin(0.5 * j * phases.angle[r]);
      re -= 2 * phases.weight[r] * half * half;
      im += phases.weight[r] * std::sin(j * phases.angle[r]);
    }
    ASSERT_NEAR(found.re, re, 1e-12) << j;
    ASSERT_NEAR(found.im, im, 1e-12) << j;
  }
}

TEST(Phasor, GivesTheSameBitsOnEveryProcessor) {
  if (phasor_step() == plain_phasor_step()) GTEST_SKIP() << "this processor has nothing wider";
  Phases wide;
  Phases plain;
  for (int j = 1; j <= 500; ++j) {
    const PhasorSum a = wide.step(phasor_step());
    const PhasorSum b = plain.step(plain_phasor_step());
    ASSERT_EQ(a.re, b.re);
    ASSERT_EQ(a.im, b.im);
  }
}

}  // namespace
}  // namespace postern::infer
