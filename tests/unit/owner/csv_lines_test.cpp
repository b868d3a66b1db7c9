#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "records/csv/lines.hpp"

namespace postern::owner {
namespace {

LineFeed make_feed(const std::string& content, std::size_t from, std::size_t at_a_time) {
  return LineFeed(
      [&content, from](char* into, std::size_t bytes) mutable {
        const std::size_t count = content.copy(into, bytes, std::min(from, content.size()));
        from += count;
        return count;
      },
      at_a_time);
}

/// The lines a feed hands out, cut apart.
std::vector<std::string> lines_of(LineFeed& feed) {
  std::vector<std::string> lines;
  for (auto block = feed.next(); !block.empty(); block = feed.next()) {
    EXPECT_EQ(block.back(), '\n');
    std::string line;
    for (const char c : block) {
      if (c != '\n') {
        line += c;
        continue;
      }
      lines.push_back(std::exchange(line, ""));
    }
  }
  return lines;
}

TEST(LineFeed, HandsOutTheSameLinesHoweverTheyAreFetched) {
  const std::string content = "ab,c\n\n\nx\r\nlonger than the others\n,\nlast";
  const std::vector<std::string> expected = {"ab,c", "", "", "x\r", "longer than the others", ",", "last"};
  for (std::size_t at_a_time = 1; at_a_time < 50; ++at_a_time) {
    LineFeed feed = make_feed(content, 0, at_a_time);
    EXPECT_EQ(lines_of(feed), expected) << at_a_time;
  }
}

TEST(LineFeed, EveryCutGivesEachLineToOneSide) {
  const std::string content = "ab,c\n\n\nx\r\nlonger than the others\n,\nlast\n";
  LineFeed all = make_feed(content, 0, 64);
  const std::vector<std::string> expected = lines_of(all);
  for (std::size_t cut = 1; cut < content.size(); ++cut) {
    for (const std::size_t at_a_time : {1, 3, 100}) {
      LineFeed before = make_feed(content, 0, at_a_time);
      before.stop_at(cut);
      std::vector<std::string> lines = lines_of(before);
      LineFeed behind = make_feed(content, cut - 1, at_a_time);
      behind.skip_line();
      const std::vector<std::string> rest = lines_of(behind);
      lines.insert(lines.end(), rest.begin(), rest.end());
      EXPECT_EQ(lines, expected) << cut;
    }
  }
}

TEST(LineFeed, ALineTooLongToHoldIsOneBadLine) {
  const std::string bad(1, '\0');
  const std::string content =
      "a\n" + std::string(3 * kLongestLine, 'x') + "\nb\n" + std::string(2 * kLongestLine, 'y');
  for (const std::size_t at_a_time : {std::size_t{1000}, LineFeed::kFetch, 2 * kLongestLine}) {
    LineFeed feed = make_feed(content, 0, at_a_time);
    const std::vector<std::string> lines = lines_of(feed);
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[0], "a");
    EXPECT_TRUE(lines[1] == bad || lines[1].size() > kLongestLine);
    EXPECT_EQ(lines[2], "b");
    EXPECT_TRUE(lines[3] == bad || lines[3].size() > kLongestLine);
  }
}

TEST(LineFeed, FirstLine) {
  const std::string content = "head\r\nx\ny\n";
  for (std::size_t at_a_time = 1; at_a_time < 12; ++at_a_time) {
    LineFeed feed = make_feed(content, 0, at_a_time);
    EXPECT_EQ(feed.take_line(), "head");
    EXPECT_EQ(feed.position(), 6u);
    EXPECT_EQ(lines_of(feed), (std::vector<std::string>{"x", "y"}));
  }
  const std::string nothing;
  EXPECT_FALSE(make_feed(nothing, 0, 8).take_line());
}

}  // namespace
}  // namespace postern::owner
