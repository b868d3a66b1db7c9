// People who wait for a large table are told how much of it is done: forecasts of time are made of that.

#include <algorithm>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/stop.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/kinds/table.hpp"

#include "engine_cases.hpp"

namespace postern::infer {
namespace {

TEST(LearnedTableProgress, IsToldAllAlong) {
  EngineCase one{"table", model::small_study({.levels = 3}), 200, {}};
  one.study.model = one.study.model.kind().with_learned_prior(one.study.model);
  InferOptions options;
  options.threads = 1;
  std::vector<double> told;
  Conversation conversation;
  conversation.on_progress = [&](std::string_view phase, double done) {
    if (phase == "drawing") told.push_back(done);
  };
  (void)infer(released(one, 'a'), options, conversation);
  EXPECT_GE(told.size(), 20U);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
}

}  // namespace
}  // namespace postern::infer
