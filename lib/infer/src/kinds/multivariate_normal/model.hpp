#pragma once

#include <string>
#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/infer/kinds/multivariate_normal/problem.hpp"
#include "postern/infer/kinds/multivariate_normal/wishart.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// A multivariate normal as the engines see it: columns, prior, what is reported.
struct VectorModel {
  std::vector<std::string> columns;
  WishartPrior prior;
  std::vector<std::string> names;
  std::vector<std::string> labels;
  std::vector<std::string> notes;  ///< for chains
  bool learned = false;            ///< are the prior's scales? Then `prior` is the planning law's
};

/// The prior of `options` if it has one, else the release's. Throws bad_prior; unsupported for public rows.
[[nodiscard]] VectorModel make_vector_model(const model::Study& study, const InferOptions& options);

/// What one record set's releases say: every block of every release is one more noisy value of the same sums.
[[nodiscard]] VectorRecords make_vector_records(const VectorModel& model, const release::RecordSet& releases);

/// Which total each released value is of, block by block: 0 for n, then VectorTotals's sums.
/// @pre make_vector_records takes them
[[nodiscard]] std::vector<std::size_t> released_sums(const VectorModel& model,
                                                     const release::RecordSet& releases);

/// The moments of a set's records, noise taken for truth: as near to it as n records can come.
[[nodiscard]] VectorMoments plug_in(const VectorRecords& records);
/// The moments of two sets together.
[[nodiscard]] VectorMoments together(const VectorMoments& a, const VectorMoments& b, std::size_t d);

}  // namespace postern::infer
