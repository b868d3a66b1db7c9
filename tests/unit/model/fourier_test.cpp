// Coefficients of families against their definition, record by record, and what they are called.

#include "postern/model/statistic/fourier.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "postern/model/helmert.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/table.hpp"

#include "network_studies.hpp"

namespace postern::model {
namespace {

using Record = std::vector<std::uint32_t>;

std::vector<Int128> measured(const Statistic& statistic, const Schema& schema,
                             const std::vector<Record>& records) {
  const std::unique_ptr<Tally> tally = statistic.kind().tally(statistic, schema);
  for (const Record& record : records) tally->add(record, 1);
  return tally->values();
}

NoisePlan fourier_plan(const Study& study) {
  return make_noise_plan(study, Mechanism::fourier, Spend::parse(study.privacy.currency, "1"));
}

TEST(Fourier, OfTwoBinaryColumnsIsTheHandComputedOne) {
  const Study study = network_study({2, 2}, {{}, {0}});
  const FourierCoefficients all{{{"x0"}, {"x0", "x1"}}, 0};
  // x0, then x1 and x0 x1 of the second family
  EXPECT_EQ(measured(all, study.schema, {{0, 0}, {0, 1}, {1, 1}, {1, 1}}), (std::vector<Int128>{0, -2, 2}));
}

TEST(Fourier, OfATernaryColumnIsTheHandComputedOne) {
  const Study study = network_study({3}, {{}});
  const std::vector<Record> records{{0}, {0}, {1}, {2}};
  EXPECT_EQ(fourier_scales({{"x0"}}, study.schema), (std::vector<std::int32_t>{-1, 1}));
  EXPECT_EQ(measured(FourierCoefficients{{{"x0"}}, -1}, study.schema, records), std::vector<Int128>{1});
  EXPECT_EQ(measured(FourierCoefficients{{{"x0"}}, 1}, study.schema, records), std::vector<Int128>{1});
}

TEST(Fourier, ContrastsAreOrthogonal) {
  for (std::uint32_t levels = 1; levels < 12; ++levels) {
    for (std::uint32_t c = 0; c < levels; ++c) {
      for (std::uint32_t d = 0; d < levels; ++d) {
        std::int64_t sum = 0;
        for (std::uint32_t x = 0; x < levels; ++x) sum += contrast(c, x) * contrast(d, x);
        EXPECT_EQ(sum, c == d ? contrast_norm(c, levels) : 0);
      }
    }
  }
}

/// Every set of columns within a family and contrasts for them, once: its value by the definition.
std::map<std::map<std::string, std::uint32_t>, Int128> by_definition(const Study& study,
                                                                     const std::vector<Record>& records) {
  std::map<std::map<std::string, std::uint32_t>, Int128> out;
  for (const BayesNode& node : study.model.get<BayesNet>().nodes) {
    const std::vector<std::string> family = family_columns(node);
    const graph::Domain domain = study.schema.domain(family);
    for (std::size_t cell = 1; cell < domain.cells(); ++cell) {
      const std::vector<std::uint32_t> contrasts = domain.levels_of(cell);
      std::map<std::string, std::uint32_t> key;
      for (std::size_t i = 0; i < family.size(); ++i) {
        if (contrasts[i] > 0) key[family[i]] = contrasts[i];
      }
      Int128 sum = 0;
      for (const Record& record : records) {
        Int128 product = 1;
        for (const auto& [name, c] : key) product *= contrast(c, record[*study.schema.find(name)]);
        sum += product;
      }
      out[key] = sum;
    }
  }
  return out;
}

TEST(Fourier, HasEveryCoefficientOfTheClosureOnce) {
  Rng rng(20261119, 0, Purpose::test);
  for (int trial = 0; trial < 60; ++trial) {
    const Study study = random_network_study(6, 5, Adjacency::replace_one, Currency::pure, rng);
    std::vector<Record> records(20);
    for (Record& record : records) {
      for (const Column& column : study.schema.columns())
        record.push_back(static_cast<std::uint32_t>(rng() % column.levels()));
    }
    auto left = by_definition(study, records);
    for (const Block& block : fourier_plan(study).measurement.blocks) {
      const auto& coefficients = block.statistic.get<FourierCoefficients>();
      std::vector<Record> ordered;
      for (const Record& record : records) {
        Record& one = ordered.emplace_back();
        for (const std::string& name : block.statistic.kind().columns(block.statistic))
          one.push_back(record[*study.schema.find(name)]);
      }
      const std::vector<Int128> values = measured(coefficients, study.schema, ordered);
      const std::vector<FourierTerm> terms = fourier_terms(coefficients, study.schema);
      ASSERT_EQ(values.size(), terms.size());
      ASSERT_EQ(block.size, terms.size());
      for (std::size_t j = 0; j < terms.size(); ++j) {
        const std::vector<std::string>& family = coefficients.families[terms[j].family];
        const auto contrasts = study.schema.domain(family).levels_of(terms[j].cell);
        std::map<std::string, std::uint32_t> key;
        for (std::size_t i = 0; i < family.size(); ++i) {
          if (contrasts[i] > 0) key[family[i]] = contrasts[i];
        }
        ASSERT_EQ(left.count(key), 1u);
        EXPECT_TRUE(left.at(key) == values[j]);
        left.erase(key);
      }
    }
    EXPECT_TRUE(left.empty());
  }
}

TEST(Fourier, HasOneBlockForBinaryColumnsAndCountsRecordsWhereNIsPrivate) {
  const NoisePlan plan = fourier_plan(naive_study(16, 2));
  ASSERT_EQ(plan.measurement.blocks.size(), 1u);
  EXPECT_EQ(plan.measurement.blocks[0].size, 33u);
  const NoisePlan hidden = fourier_plan(naive_study(16, 2, Adjacency::add_remove));
  ASSERT_EQ(hidden.measurement.blocks.size(), 2u);
  EXPECT_NE(hidden.measurement.blocks[0].statistic.as<RecordCount>(), nullptr);
  EXPECT_EQ(hidden.measurement.blocks[0].noise.parameter, hidden.measurement.blocks[1].noise.parameter);
}

TEST(Fourier, SaysWhatACoordinateIs) {
  const Study study = network_study({2, 4}, {{}, {0}});
  std::vector<std::string> texts;
  for (const Block& block : fourier_plan(study).measurement.blocks) {
    for (std::size_t j = 0; j < block.size; ++j)
      texts.push_back(block.statistic.kind().coordinate_text(block.statistic, study.schema, j));
  }
  const auto label = [&](std::size_t column, std::uint32_t level) {
    return study.schema.columns()[column].label(level);
  };
  const std::string wanted = "coefficient of x0 (" + label(0, 0) + " against " + label(0, 1) + ") x x1 (" +
                             label(1, 0) + " to " + label(1, 2) + " against " + label(1, 3) + ")";
  EXPECT_EQ(texts.size(), 7u);
  EXPECT_EQ(std::count(texts.begin(), texts.end(), wanted), 1);
}

TEST(Fourier, IsRefusedForTablesAndForFamiliesThatCannotBe) {
  const Study study = network_study({2, 3}, {{}, {0}});
  for (const auto& families :
       std::vector<std::vector<std::vector<std::string>>>{{}, {{}}, {{"x0", "x0"}}, {{"nobody"}}}) {
    EXPECT_THROW((void)fourier_terms({families, 0}, study.schema), Error);
  }
  EXPECT_THROW((void)fourier_terms({{{"x0"}}, 7}, study.schema), Error);
  EXPECT_THROW((void)make_noise_plan(small_study({}), Mechanism::fourier, Spend::parse(Currency::pure, "1")),
               Error);
}

}  // namespace
}  // namespace postern::model
