#pragma once

#include <functional>
#include <string>
#include <vector>

#include "postern/assess/simulate.hpp"
#include "postern/infer/analysis.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/study_file.hpp"

namespace postern::infer {

/// Four columns of 2, 3, 3 and 2 levels: a, b, c and e. c is a number with cuts.
inline model::Study discrete_study(const std::string& model) {
  return model::parse_study(
      "version = 1\nname = \"s\"\ndataset = \"d\"\n[privacy]\nunit = \"record\"\ncurrency = \"pure\"\n"
      "adjacency = \"replace-one\"\n"
      "[columns.a]\ncategories = [\"no\", \"yes\"]\n[columns.b]\ncategories = [\"x\", \"y, z\", \"z\"]\n"
      "[columns.c]\ninteger = [0, 9]\ncuts = [3, 6]\n[columns.e]\ncategories = [\"u\", \"v\"]\n[model]\n" +
          model,
      "s.toml");
}
inline const std::vector<std::uint32_t> kDiscreteSizes{2, 3, 3, 2};

inline const char* const kStarModel = "kind = \"naive-bayes\"\nclass = \"b\"\n";
inline const char* const kNetModel =
    "kind = \"bayes-net\"\nedges = [[\"a\", \"c\"], [\"b\", \"c\"], [\"c\", \"e\"], [\"a\", \"e\"]]\n";
inline const char* const kTableModel =
    "kind = \"family\"\nfamily = \"categorical\"\ncolumns = [\"a\", \"b\", \"c\", \"e\"]\n"
    "prior = { dirichlet = 1 }\n";

/// The posterior of a simulated release of 60 records.
inline Posterior discrete_posterior(const std::string& model, std::size_t draws,
                                    const std::string& engine = "auto") {
  const model::Study study = discrete_study(model);
  const model::NoisePlan plan =
      model::make_noise_plan(study, model::Mechanism::laplace, Spend{Currency::pure, 4'000'000'000});
  Rng rng(20261118, 5, Purpose::test);
  release::Release release = assess::simulate_study(study, plan, 60, rng).release;
  release.release_id = release.ledger.record_set = std::string(32, 'a');
  InferOptions options;
  options.chains = 2;
  options.draws = draws;
  return analyse(std::vector{release}, {engine, {}, {}, false}, options, {});
}

/// All 36 records with their probabilities under a draw (counted over chains), by the model's definition.
inline void list_records(const std::string& model, const Posterior& posterior, std::size_t draw,
                         const std::function<void(const std::vector<std::int32_t>&, double)>& take) {
  const std::vector<double>& chain = posterior.draws[draw / posterior.iterations];
  const auto p = [&](std::size_t q) { return chain[q * posterior.iterations + draw % posterior.iterations]; };
  for (std::int32_t cell = 0; cell < 36; ++cell) {
    const std::vector<std::int32_t> x{cell / 18, cell / 6 % 3, cell / 2 % 3, cell % 2};
    const auto at = [&](std::size_t first, std::int32_t place) {
      return p(first + static_cast<std::size_t>(place));
    };
    double probability = 0;
    if (model == kTableModel) {
      probability = at(0, cell);
    } else if (model == kStarModel) {  // tables of a | b, b, c | b, e | b
      probability = at(0, x[1] * 2 + x[0]) * at(6, x[1]) * at(9, x[1] * 3 + x[2]) * at(18, x[1] * 2 + x[3]);
    } else {  // of a, b, c | a, b and e | c, a, in the order in which its labels have them
      const std::int32_t row = posterior.labels[23].find("c = 0-2, a = no") != std::string::npos
                                   ? x[2] * 2 + x[0]
                                   : x[0] * 3 + x[2];
      probability = at(0, x[0]) * at(2, x[1]) * at(5, (x[0] * 3 + x[1]) * 3 + x[2]) * at(23, row * 2 + x[3]);
    }
    take(x, probability);
  }
}

}  // namespace postern::infer
