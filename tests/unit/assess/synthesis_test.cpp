// Synthetic records: their law, their fields, and posteriors that come back from a folder.
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/posterior_files.hpp"
#include "postern/infer/synthesize.hpp"
#include "postern/model/encode.hpp"

#include "discrete_posteriors.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kRecords = 100'000;

std::vector<double> shares(const Synthetic& synthetic, std::size_t dataset) {
  std::vector<double> out(36);
  const std::vector<std::uint32_t>& x = synthetic.datasets[dataset];
  for (std::size_t i = 0; i < x.size(); i += 4)
    out[((x[i] * 3 + x[i + 1]) * 3 + x[i + 2]) * 2 + x[i + 3]] += 1.0 / kRecords;
  return out;
}

/// n = 100,000 multinomial counts; every one of 36 cells within 5.5 standard errors (alpha 1e-6 in all).
void expect_shares(const std::vector<double>& found, const std::vector<double>& wanted, const char* what) {
  for (std::size_t cell = 0; cell < 36; ++cell)
    EXPECT_NEAR(found[cell], wanted[cell], 5.5 * std::sqrt(wanted[cell] / kRecords) + 1e-9) << what << cell;
}

TEST(Synthesize, RecordsFollowTheAverageOfTheDraws) {
  for (const char* model : {kTableModel, kStarModel, kNetModel}) {
    const Posterior posterior = discrete_posterior(model, 20, model == kNetModel ? "tables" : "auto");
    std::vector<double> wanted;
    for (std::size_t d = 0; d < 40; ++d) {
      std::size_t cell = 0;
      wanted.resize(36);
      list_records(model, posterior, d, [&](const auto&, double p) { wanted[cell++] += p / 40; });
    }
    const Synthetic made = synthesize(posterior, {.records = kRecords, .seed = 3}, {});
    EXPECT_EQ(made.from, SynthesisFrom::record_draws);
    expect_shares(shares(made, 0), wanted, model);
    EXPECT_EQ(synthesize(posterior, {.records = kRecords, .seed = 3, .threads = 1}, {}).datasets,
              made.datasets);
    EXPECT_NE(synthesize(posterior, {.records = kRecords, .seed = 4}, {}).datasets, made.datasets);
  }
}

TEST(Synthesize, EachOfSeveralDataSetsHasADrawOfItsOwn) {
  const Posterior posterior = discrete_posterior(kTableModel, 2);
  const Synthetic made = synthesize(posterior, {.records = kRecords, .datasets = 4}, {});
  EXPECT_EQ(made.from, SynthesisFrom::dataset_draws);
  std::vector<bool> used(4);
  for (std::size_t k = 0; k < 4; ++k) {
    const std::vector<double> found = shares(made, k);
    for (std::size_t d = 0; d < 4; ++d) {
      double apart = 0;
      std::size_t cell = 0;
      list_records(kTableModel, posterior, d,
                   [&](const auto&, double p) { apart += std::abs(p - found[cell++]); });
      if (apart < 0.05) used[d] = true;
    }
  }
  EXPECT_EQ(used, std::vector<bool>(4, true));
  EXPECT_NE(synthesis_notes(made).front().find("(1 + 1/m) B - U"), std::string::npos);
}

TEST(Synthesize, PlugInIsTheMean) {
  const Posterior posterior = discrete_posterior(kTableModel, 2);
  std::vector<double> wanted;
  for (std::size_t q = 0; q < 36; ++q) wanted.push_back(posterior.summary[q].mean);
  expect_shares(shares(synthesize(posterior, {.records = kRecords, .plug_in = true}, {}), 0), wanted,
                "plug-in");
}

TEST(Synthesize, FieldsAreReadBackByTheStudy) {
  const Posterior posterior = discrete_posterior(kStarModel, 20);
  const Synthetic made = synthesize(posterior, {.records = 500}, {});
  for (std::size_t c = 0; c < 4; ++c) {
    const model::Encoder encoder(made.columns[c]);
    const std::vector<std::string> fields = synthetic_fields(made, 0, c);
    ASSERT_EQ(fields.size(), 500U);
    for (std::size_t i = 0; i < fields.size(); ++i)
      EXPECT_EQ(encoder.encode(model::Field(fields[i])), made.datasets[0][i * 4 + c]);
  }
  const std::string csv = synthetic_csv(made, 0);
  EXPECT_TRUE(csv.starts_with("a,b,c,e\n"));
  EXPECT_NE(csv.find("\"y, z\""), std::string::npos);
  const Synthetic named = synthesize(posterior, {.records = 500, .intervals = true}, {});
  EXPECT_NE(synthetic_csv(named, 0).find(",3-5,"), std::string::npos);
  EXPECT_THROW((void)synthesize(posterior, {.records = std::size_t{1} << 40}, {}), Error);
}

TEST(PosteriorFolder, IsReadBackWhole) {
  const std::string folder = ::testing::TempDir() + "postern-folder";
  Posterior posterior = discrete_posterior(kStarModel, 20);
  posterior.public_data = PublicCounts{std::vector<std::int64_t>(24, 2), 48, {}};
  posterior.public_rows = 48;
  posterior.prior = "dirichlet 1";
  for (const DrawsFormat format : {DrawsFormat::csv, DrawsFormat::npy}) {
    write_posterior(posterior, folder, true, format);
    const Posterior again = read_posterior(folder);
    EXPECT_EQ(posterior_facts(again), posterior_facts(posterior));
    EXPECT_EQ(again.draws, posterior.draws);
    EXPECT_EQ(again.documents, posterior.documents);
    EXPECT_EQ(std::get<PublicCounts>(*again.public_data).counts, std::vector<std::int64_t>(24, 2));
    EXPECT_EQ(again.summary.back().q95, posterior.summary.back().q95);
    EXPECT_EQ(synthesize(again, {}, {}).datasets, synthesize(posterior, {}, {}).datasets);
  }
  std::filesystem::remove(folder + "/release_1.json");  // as earlier versions wrote it
  EXPECT_EQ(read_posterior(folder).draws, posterior.draws);
  EXPECT_THROW((void)synthesize(read_posterior(folder), {}, {}), Error);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace postern::infer
