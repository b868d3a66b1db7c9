#include "postern/core/stop.hpp"

#include <atomic>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"

namespace postern {
namespace {

TEST(Conversation, IsSilentByDefault) {
  const Conversation quiet;
  quiet.report("fit", 0.5);
  EXPECT_NO_THROW(quiet.check());
}

TEST(Conversation, ReportsAndStops) {
  std::stop_source source;
  std::vector<double> seen;
  const Conversation talk{.stop = source.get_token(),
                          .on_progress = [&](std::string_view phase, double done) {
                            EXPECT_EQ(phase, "draw");
                            seen.push_back(done);
                          }};
  talk.report("draw", 0.25);
  EXPECT_EQ(seen, std::vector<double>{0.25});
  EXPECT_NO_THROW(talk.check());
  source.request_stop();
  try {
    talk.check();
    FAIL() << "no exception";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
}

/// How many bodies of a loop inside a loop ran when the tenth asks to stop.
int run_until_stopped(int threads) {
  std::stop_source source;
  const StopScope scope(source.get_token());
  std::atomic<int> ran = 0;
  try {
    parallel_for(100, threads, [&](std::size_t) {
      parallel_for(100, threads, [&](std::size_t) {
        if (++ran == 10) source.request_stop();
      });
    });
    ADD_FAILURE() << "no exception";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
  return ran;
}

TEST(StopScope, EndsLoopsInsideLoops) {
  EXPECT_EQ(run_until_stopped(1), 10);
  EXPECT_LT(run_until_stopped(2), 100);  // each thread may be inside one body
}

TEST(StopScope, EndsWithItsScope) {
  std::stop_source source;
  source.request_stop();
  {
    const StopScope scope(source.get_token());
    EXPECT_TRUE(StopScope::current().stop_requested());
  }
  EXPECT_NO_THROW(parallel_for(3, 1, [](std::size_t) {}));
}

}  // namespace
}  // namespace postern
