#pragma once

#include <string>
#include <vector>

#include "postern/core/json_value.hpp"
#include "postern/model/kinds/covariates.hpp"
#include "postern/model/node.hpp"

namespace postern::model {

/// What is assumed of features: `covariates`, or public rows from the file at `covariates_from`.
[[nodiscard]] Covariates read_covariates(Node& node, const std::vector<std::string>& features,
                                         const Schema& schema);
/// The members that a document has of it.
[[nodiscard]] JsonObject write_covariates(const Covariates& covariates,
                                          const std::vector<std::string>& features);
/// Refuses laws that their columns cannot have.
void check_covariates(const Covariates& covariates, const std::vector<std::string>& features,
                      const Schema& schema);
/// "uniform", "normal(50, 12) of age, ...", "200 public rows"
[[nodiscard]] std::string covariates_words(const Covariates& covariates,
                                           const std::vector<std::string>& features);

}  // namespace postern::model
