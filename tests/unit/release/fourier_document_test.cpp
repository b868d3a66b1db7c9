// Documents of Fourier coefficients: families named once a block, and how the cost was found.

#include <algorithm>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/statistic/fourier.hpp"
#include "postern/release/document.hpp"
#include "postern/release/verify.hpp"

#include "network_studies.hpp"
#include "releases.hpp"

namespace postern::release {
namespace {

using model::Adjacency;

Release fourier_release(const model::Study& study) {
  Release release = testing::make_release(study, "1", std::vector<Int128>(1'000));
  const model::NoisePlan plan = make_noise_plan(study, model::Mechanism::fourier, release.cost);
  release.request = plan.request;
  release.blocks.clear();
  for (const model::Block& block : plan.measurement.blocks)
    release.blocks.push_back({block, std::vector<Int128>(block.size, -7)});
  return release;
}

const Check& sensitivity_of(const std::vector<Check>& checks) {
  return *std::find_if(checks.begin(), checks.end(),
                       [](const Check& check) { return check.name == "sensitivity"; });
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST(FourierDocument, RoundTripsAndVerifies) {
  for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
    for (const Currency currency : {Currency::pure, Currency::zcdp}) {
      const Release wrote =
          fourier_release(model::network_study({2, 3, 4}, {{}, {0}, {0, 1}}, adjacency, currency));
      const std::string text = to_document(wrote);
      const Release read = parse_document(text);
      EXPECT_EQ(to_document(read), text);
      EXPECT_EQ(read.request.mechanism, model::Mechanism::fourier);
      EXPECT_TRUE(all_passed(verify(read)));
      EXPECT_NE(sensitivity_of(verify(read)).detail.find("(exact)"), std::string::npos);
    }
  }
}

TEST(FourierDocument, SaysHowItsCostWasFound) {
  const std::string text = to_document(fourier_release(model::naive_study(16, 2)));
  EXPECT_NE(text.find(R"("sensitivity":{"l1":"64","method":"exact"})"), std::string::npos);
  const std::string other = with(text, R"("method":"exact")", R"("method":"bound")");
  EXPECT_FALSE(sensitivity_of(verify(parse_document(other))).passed);
  EXPECT_THROW((void)parse_document(with(text, R"("method":"exact")", R"("method":"guess")")), Error);
  const std::string looser = with(text, R"("l1":"64")", R"("l1":"66")");
  EXPECT_FALSE(sensitivity_of(verify(parse_document(looser))).passed);
}

}  // namespace
}  // namespace postern::release
