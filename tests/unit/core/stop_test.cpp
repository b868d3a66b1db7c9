#include "postern/core/stop.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

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

}  // namespace
}  // namespace postern
