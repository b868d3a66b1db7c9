#include <gtest/gtest.h>

#include "postern/assess/calibrate.hpp"

namespace postern::assess {
namespace {

/// Studies that differ from what the posterior takes them for are named before the posterior is blamed.
TEST(CalibrationVerdict, SaysWhatWasCompared) {
  Calibration found;
  found.studies = 400;
  found.quantities.resize(1);
  found.quantities.front().ks = 0.5;
  found.quantities.front().ranks.assign(50, 0.5);
  EXPECT_NE(found.verdict().find("once in a million"), std::string::npos);
  found.notes = {"studies are narrower"};
  found.caveats = 1;
  EXPECT_NE(found.verdict().find("for the studies that were simulated"), std::string::npos);
  found.quantities.front().ks = 0.01;
  EXPECT_EQ(found.verdict().find("Calibrated, as far as"), 0u);
}

}  // namespace
}  // namespace postern::assess
