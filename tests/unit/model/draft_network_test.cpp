#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/graph/bif.hpp"
#include "postern/model/study_draft.hpp"
#include "postern/model/study_file.hpp"

namespace postern::model {
namespace {

graph::BifNetwork network(const std::string& name, const std::vector<std::string>& levels) {
  graph::BifNetwork out;
  out.variables.push_back({"x", {"no", "yes"}, {}, {0.5, 0.5}});
  out.variables.push_back({name, levels, {0}, {0.5, 0.5, 0.5, 0.5}});
  return out;
}

TEST(DraftNetwork, IsAStudyThatPlansTake) {
  const std::string text = draft_network_study("n", network("y", {"a", "b"}));
  EXPECT_EQ(parse_study(text, "n.toml").schema.columns().size(), 2u);
}

/// A draft that no plan would take helps nobody.
TEST(DraftNetwork, RefusesWhatNoStudyDeclares) {
  for (const graph::BifNetwork& one : {network("", {"a", "b"}), network("y", {"a", " b"}),
                                       network("y", {"a", ""}), network("y", {"a", "a"})})
    EXPECT_THROW(static_cast<void>(draft_network_study("n", one)), Error);
}

}  // namespace
}  // namespace postern::model
