// What a release of a chosen network holds is foreseen: more than a document may would be found out after the
// charge.

#include <algorithm>
#include <tuple>

#include <gtest/gtest.h>

#include "postern/assess/simulate.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/round_fit.hpp"
#include "postern/model/kinds/markov_selection.hpp"
#include "postern/release/document.hpp"

#include "markov_studies.hpp"

namespace postern::assess {
namespace {

model::Study choosing(std::size_t columns, std::uint32_t levels, model::Selection select, std::size_t more) {
  model::Study study = model::markov_study(std::vector<std::uint32_t>(columns, levels), {{0}},
                                           model::Adjacency::replace_one, Currency::zcdp);
  model::MarkovNet net = study.model.get<model::MarkovNet>();
  net.cliques.clear();
  net.select = select;
  net.more_pairs = more;
  net.most_cells = 4096;
  study.model = std::move(net);
  return study;
}

const model::MarkovNet& net_of(const model::Study& study) { return study.model.get<model::MarkovNet>(); }

class ChosenDocument : public testing::TestWithParam<model::Selection> {};

TEST_P(ChosenDocument, HoldsNoMoreNumbersThanForeseen) {
  const model::Study study = choosing(10, 3, GetParam(), 5);
  model::Study truth = choosing(10, 3, model::Selection::tree, 0);
  model::MarkovNet net = net_of(truth);
  net.select = model::Selection::none;
  for (std::uint32_t v = 0; v + 1 < 10; ++v) net.cliques.push_back({v, v + 1});
  truth.model = std::move(net);
  Rng rng(1, 0, Purpose::test);
  const model::NoisePlan plan =
      model::make_noise_plan(study, model::default_mechanism(study), Spend::parse(Currency::zcdp, "1"));
  const SimulatedStudy made = simulate_choosing(study, truth, plan, 500, rng, infer::round_fit(study));
  const std::string document = release::to_document(made.release);
  const auto commas = static_cast<double>(std::count(document.begin(), document.end(), ','));
  double others = 1000;  // noisy tables, and words
  for (const release::MeasuredBlock& block : made.release.blocks)
    others += static_cast<double>(block.values.size()) + 30;
  EXPECT_LE(commas, model::published_numbers(net_of(study)) + others);
  EXPECT_GT(commas, 0.5 * model::published_numbers(net_of(study)));
}

INSTANTIATE_TEST_SUITE_P(Both, ChosenDocument,
                         testing::Values(model::Selection::tree, model::Selection::adaptive));

TEST(ChosenDocument, AFewerTimesFittedModelKeepsItWithinItsLimit) {
  // 24 fits of a hundred columns of four levels would not fit; 12 with two pairs each do.
  EXPECT_EQ(model::fits_of(net_of(choosing(100, 4, model::Selection::adaptive, 24))), 12U);
  EXPECT_EQ(model::fits_of(net_of(choosing(100, 4, model::Selection::adaptive, 50))), 17U);
  EXPECT_EQ(model::fits_of(net_of(choosing(14, 20, model::Selection::adaptive, 14))), 14U);
  EXPECT_NO_THROW(model::check_study(choosing(100, 4, model::Selection::adaptive, 24)));
}

TEST(ChosenDocument, WhatCannotBeHeldIsRefusedBeforeTheCharge) {
  EXPECT_NO_THROW(model::check_study(choosing(160, 2, model::Selection::tree, 0)));
  for (const auto& [columns, levels, select] :
       {std::tuple{250, 2U, model::Selection::tree}, std::tuple{100, 40U, model::Selection::adaptive}}) {
    try {
      model::check_study(choosing(static_cast<std::size_t>(columns), levels, select, 5));
      ADD_FAILURE() << "not refused";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("more numbers than a release can hold"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace postern::assess
