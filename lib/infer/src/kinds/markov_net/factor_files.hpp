#pragma once

#include <vector>

#include "postern/infer/model_file.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// A Markov network at its posterior means as tables over its largest cliques whose product is the law:
/// network.uai, which has no names, and network.json, which has them in the same order
/// (docs/files/network.md). Of a network that is not decomposable: the law of its own form that gives the
/// cliques' cells the probabilities that they have at the means. `directed` is the study with the network as
/// a Bayesian one.
[[nodiscard]] std::vector<ModelFile> factors_of_means(const model::Study& study, const model::Study& directed,
                                                      const Posterior& posterior);

}  // namespace postern::infer
