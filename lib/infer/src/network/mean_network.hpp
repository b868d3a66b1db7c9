#pragma once

#include <optional>
#include <vector>

#include "postern/infer/model_file.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// The means of all conditional tables, one a node of a Bayesian network;
/// rows sum to 1. Nothing for a posterior without a summary.
[[nodiscard]] std::optional<std::vector<std::vector<double>>> mean_tables(const model::Study& study,
                                                                          const Posterior& posterior);
/// The network at these means, as a BIF file; none where a name cannot be written in that form.
[[nodiscard]] std::vector<ModelFile> bif_of_means(const model::Study& study, const Posterior& posterior);

}  // namespace postern::infer
