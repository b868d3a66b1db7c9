// Small studies for every engine, with releases of them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "postern/assess/simulate.hpp"
#include "postern/core/units.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/number_family.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study_file.hpp"

#include "chain_studies.hpp"
#include "choice_studies.hpp"
#include "glm_studies.hpp"
#include "logistic_studies.hpp"
#include "markov_studies.hpp"
#include "network_studies.hpp"
#include "number_studies.hpp"
#include "regression_studies.hpp"
#include "small_studies.hpp"
#include "vector_studies.hpp"

namespace postern::infer {

/// A small study, and the engines that take it.
struct EngineCase {
  std::string name;
  model::Study study;
  std::int64_t n;
  std::vector<EngineChoice> engines;
  std::size_t datasets = 1;
  std::optional<model::Mechanism> mechanism = {};  ///< the default one unless said
};

inline model::Study axis_study() {
  return model::parse_study(
      "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\nadjacency = \"replace-one\"\n"
      "[columns.a]\nreal = [\"-5\", \"5\"]\ngrid = \"1\"\n[columns.b]\nreal = [\"-5\", \"5\"]\ngrid = \"1\"\n"
      "[model]\nkind = \"principal-component\"\ncolumns = [\"a\", \"b\"]\nsigma = \"0.5\"\n"
      "radii = [\"0.75\", \"1.5\", \"3\"]\nprior = { normal = { variance = 4 } }\n",
      "s.toml");
}

inline model::Study components_study(int columns) {
  std::string text =
      "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\ncurrency = \"zcdp\"\nadjacency = "
      "\"replace-one\"\n";
  std::string names;
  for (int c = 0; c < columns; ++c) {
    const std::string name = "c" + std::to_string(c);
    text += "[columns." + name + "]\nreal = [\"-3\", \"3\"]\ngrid = \"0.25\"\n";
    names += (c == 0 ? "\"" : ", \"") + name + "\"";
  }
  return model::parse_study(text + "[model]\nkind = \"principal-component\"\ncolumns = [" + names + "]\n",
                            "s.toml");
}

/// A Markov network that is not decomposable has a normal prior of its potentials.
inline model::Study loop_study() {
  model::Study out = model::markov_study({2, 2, 2}, {{0, 1}, {1, 2}, {0, 2}});
  model::MarkovNet net = out.model.get<model::MarkovNet>();
  net.potential_sd = Rational(1);
  out.model = std::move(net);
  return out;
}

inline model::Study number(const char* family, std::int64_t hi) {
  return model::number_study(*model::find_number_family(family),
                             {{0, hi}, model::Adjacency::replace_one, Currency::pure});
}

/// The same studies with a prior whose scale is learned, where they have one.
inline void add_learned(std::vector<EngineCase>& cases) {
  const std::vector<EngineCase> stated = cases;
  for (const EngineCase& one : stated) {
    const model::Kind& kind = one.study.model.kind();
    if (one.datasets > 1 || !kind.takes_learned_prior(one.study.model)) continue;
    EngineCase& learned = cases.emplace_back(one);
    learned.name += ", learned";
    learned.study.model = kind.with_learned_prior(one.study.model);
    learned.engines = {EngineChoice::automatic};
  }
}

inline std::vector<EngineCase> engine_cases() {
  std::vector<EngineCase> out;
  out.push_back({"table",
                 model::small_study({.levels = 3}),
                 200,
                 {EngineChoice::exact, EngineChoice::gibbs, EngineChoice::naive}});
  out.push_back({"tables", model::small_study({.levels = 3}), 200, {EngineChoice::gibbs}, 2});
  out.push_back({"proportions", model::small_study({}), 200, {EngineChoice::exact}, 2});
  out.push_back({"poisson",
                 number("poisson", 20),
                 60,
                 {EngineChoice::exact, EngineChoice::augment, EngineChoice::naive}});
  out.push_back({"normal", number("normal", 8), 60, {EngineChoice::augment, EngineChoice::gibbs}});
  out.push_back({"vector",
                 model::vector_study({{0, 6}, {0, 6}}, model::Adjacency::replace_one, Currency::pure),
                 40,
                 {EngineChoice::augment, EngineChoice::naive}});
  out.push_back({"naive Bayes",
                 model::naive_study(2, 2),
                 200,
                 {EngineChoice::exact, EngineChoice::tables, EngineChoice::naive}});
  out.push_back({"Fourier coefficients",
                 model::naive_study(2, 2),
                 200,
                 {EngineChoice::tables},
                 1,
                 model::Mechanism::fourier});
  out.push_back({"Markov network", loop_study(), 200, {EngineChoice::tables, EngineChoice::potentials}});
  out.push_back({"Markov chain",
                 model::chain_study({}),
                 200,
                 {EngineChoice::exact, EngineChoice::tables, EngineChoice::naive}});
  out.push_back({"linear regression",
                 model::regression_study({{3}, {}}, model::Adjacency::replace_one, Currency::pure),
                 500,
                 {EngineChoice::moments, EngineChoice::naive}});
  out.push_back(
      {"logistic regression",
       model::glm_study({{3}, {}}, model::GlmFamily::logistic, model::Adjacency::replace_one, Currency::pure),
       500,
       {EngineChoice::moments}});
  out.push_back(
      {"gradients", model::logistic_study({.n = 60}), 60, {EngineChoice::gibbs, EngineChoice::augment}});
  out.push_back({"choice",
                 model::coin_study(),
                 20,
                 {EngineChoice::exact, EngineChoice::augment, EngineChoice::bounds}});
  out.push_back({"axis", axis_study(), 30, {EngineChoice::augment, EngineChoice::automatic}});
  out.push_back({"components", components_study(3), 60, {EngineChoice::augment}});
  out.push_back({"wide components", components_study(9), 200, {EngineChoice::moments, EngineChoice::naive}});
  add_learned(out);
  return out;
}

/// Does it take seconds, rather than a tenth of one?
inline bool is_slow(const EngineCase& one) {
  const std::set<std::string> slow = {"gradients", "axis", "components", "wide components"};
  return slow.contains(one.name.substr(0, one.name.find(',')));
}

/// One release a dataset, all of one theta; `first` is the letter of the first one's ids. Values are the same
/// for all letters.
inline std::vector<release::Release> released(const EngineCase& one, char first, std::uint32_t stream = 0) {
  std::vector<release::Release> out;
  const model::NoisePlan plan =
      one.mechanism ? model::make_noise_plan(one.study, *one.mechanism, Spend::floor(Currency::pure, 1))
                    : model::small_plan(one.study, 1);
  model::Assumed theta;  // one for all datasets
  for (std::size_t d = 0; d < one.datasets; ++d) {
    Rng rng(20261118, 100 * stream + static_cast<std::uint32_t>(d), Purpose::test);
    const bool chain = one.study.model.as<model::MarkovChain>() != nullptr;
    const auto n = chain ? std::nullopt : std::optional<std::int64_t>(one.n);
    assess::SimulatedStudy study = assess::simulate_study(one.study, plan, n, theta, rng);
    theta = study.theta();
    release::Release& made = out.emplace_back(std::move(study.release));
    made.release_id = made.ledger.record_set = std::string(32, static_cast<char>(first + d));
    made.study.dataset += std::to_string(d);
  }
  return out;
}

}  // namespace postern::infer
