// The summed scores of a choice are sums of public integers over all records: with them the counts would be
// known. They never leave the owner's side. Looked for in the whole document, by their digits.

#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "postern/core/int128.hpp"
#include "postern/model/plan.hpp"
#include "postern/owner/gate.hpp"
#include "postern/release/document.hpp"

#include "network_studies.hpp"

namespace postern::owner {
namespace {

std::string digits_of(Int128 value) {
  std::string out;
  for (Int128 left = value < 0 ? -value : value; left > 0; left /= 10)
    out.insert(out.begin(), static_cast<char>('0' + static_cast<int>(left % 10)));
  return out;
}

std::string hex_of(Int128 value) {
  std::ostringstream out;
  out << std::hex << static_cast<std::uint64_t>(value < 0 ? -value : value);
  return out.str();
}

/// Scores of 48 613 records, most at the first levels.
std::vector<std::vector<Int128>> summed_scores(const model::Study& study, const model::NoisePlan& plan) {
  std::vector<std::vector<Int128>> out;
  for (const model::Block& block : plan.measurement.blocks) {
    const model::StatisticKind& kind = block.statistic.kind();
    const auto tally = kind.tally(block.statistic, study.schema);
    const std::size_t columns = kind.columns(block.statistic).size();
    tally->add(std::vector<std::uint32_t>(columns, 0), 40'617);
    tally->add(std::vector<std::uint32_t>(columns, 1), 7'996);
    out.push_back(tally->values());
  }
  return out;
}

TEST(GridCanary, SummedScoresNeverLeaveTheOwner) {
  const model::Study study = model::network_study({2, 2}, {{}, {0}});
  Entropy entropy;
  for (const model::Mechanism mechanism : {model::Mechanism::posterior_draw, model::Mechanism::map}) {
    const model::NoisePlan plan =
        make_noise_plan(study, mechanism, Spend::parse(study.privacy.currency, "1"));
    const auto scores = summed_scores(study, plan);
    Ledger ledger = Ledger::rehearsal(
        {study.dataset, study.privacy, Spend(study.privacy.currency, std::int64_t{1} << 62)});
    const Measure measure = [&](const model::Measurement&) { return Measured{48'613, scores}; };
    const std::string document =
        release::to_document(pass_gate({study, plan, false}, ledger, entropy, measure));
    std::size_t looked_for = 0;
    for (const std::vector<Int128>& block : scores) {
      for (const Int128 score : block) {
        const std::string digits = digits_of(score);
        if (digits.size() < 6) continue;  // may be there by chance
        ++looked_for;
        ASSERT_EQ(document.find(digits), std::string::npos) << digits;
        if (hex_of(score).size() < 8) continue;
        ASSERT_EQ(document.find(hex_of(score)), std::string::npos) << digits;
      }
    }
    EXPECT_GT(looked_for, 100u);
    // The sight of it: a document with one of them in it is found out.
    const std::string planted = document + digits_of(scores.front().front());
    EXPECT_NE(planted.find(digits_of(scores.front().front())), std::string::npos);
  }
}

}  // namespace
}  // namespace postern::owner
