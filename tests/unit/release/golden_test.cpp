// The documents under tests/data/golden are what this version writes, byte for byte, and what every later
// version must read. After a deliberate change of format: POSTERN_UPDATE_GOLDEN=1 unit_release
// --gtest_filter='Golden*'

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>

#include <gtest/gtest.h>

#include "postern/release/document.hpp"
#include "postern/release/signature.hpp"
#include "postern/release/verify.hpp"

#include "releases.hpp"
#include "test_data.hpp"
#include "test_key.hpp"

namespace postern::release {
namespace {

std::string golden_path(const std::string& name) { return test_data("golden/" + name); }

void expect_golden(const std::string& name, const std::string& text) {
  if (std::getenv("POSTERN_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(golden_path(name), std::ios::binary) << text;
  }
  std::ifstream file(golden_path(name), std::ios::binary);
  ASSERT_TRUE(file) << golden_path(name);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), text) << name;
}

std::map<std::string, Release> golden_releases() {
  std::map<std::string, Release> out{{"smoking.release.json", testing::smoking_release()},
                                     {"people.release.json", testing::people_release()},
                                     {"lengths.release.json", testing::lengths_release()},
                                     {"losses.release.json", testing::losses_release()},
                                     {"signed.release.json", testing::smoking_release()}};
  out.at("signed.release.json").counted_by_caller = true;
  sign(out.at("signed.release.json"), testing::kPrivateKey);  // ed25519 signatures are deterministic
  return out;
}

TEST(Golden, ReleasesAreWrittenByteForByte) {
  for (const auto& [name, release] : golden_releases()) expect_golden(name, to_document(release));
}

TEST(Golden, StudiesAndPlansAreWrittenByteForByte) {
  for (const auto& [name, release] : golden_releases()) {
    const std::string stem = name.substr(0, name.find('.'));
    expect_golden(stem + ".study.json", study_document(release.study));
    const auto plan = model::make_noise_plan(release.study, release.request.mechanism, release.cost);
    expect_golden(stem + ".plan.json", plan_document(release.study, plan));
  }
}

TEST(Golden, ReleasesAreReadAndVerified) {
  for (const auto& [name, release] : golden_releases()) {
    const Release read = load_release(golden_path(name));
    EXPECT_EQ(to_document(read), to_document(release)) << name;
    for (const Check& check : verify(read))
      EXPECT_TRUE(check.passed) << name << ": " << check.name << ": " << check.detail;
  }
}

}  // namespace
}  // namespace postern::release
