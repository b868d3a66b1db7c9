// A draw on a grid has no interval: nothing to foretell the width of, and nothing to calibrate.

#include <gtest/gtest.h>

#include "postern/assess/calibrate.hpp"
#include "postern/assess/outlook.hpp"
#include "postern/core/error.hpp"
#include "postern/model/plan.hpp"

#include "network_studies.hpp"

namespace postern::assess {
namespace {

TEST(GridOutlook, HasNoWidthAndIsNotCalibrated) {
  const model::Study study = model::naive_study(2, 2);
  const model::NoisePlan plan =
      make_noise_plan(study, model::Mechanism::map, Spend::parse(Currency::pure, "1"));
  OutlookOptions outlook;
  outlook.n = 100;
  EXPECT_FALSE(look_ahead(study, plan, outlook, {}));
  CalibrateOptions options;
  options.n = 100;
  try {
    static_cast<void>(calibrate(study, plan, options, {}));
    ADD_FAILURE() << "calibrated";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
  }
}

}  // namespace
}  // namespace postern::assess
