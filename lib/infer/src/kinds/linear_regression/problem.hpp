#pragma once

#include "postern/infer/infer.hpp"
#include "postern/infer/regression/problem.hpp"
#include "postern/model/kinds/linear_regression.hpp"
#include "postern/model/study.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// The law of noise on integers, in what `unit` of them stands for.
[[nodiscard]] MomentNoise scaled_noise(const model::Noise& noise, double unit);

/// Features and prior of a study's regression, nothing seen. Throws bad_prior.
[[nodiscard]] RegressionProblem start_regression(const model::Study& study, const InferOptions& options);

/// Adds what is known without being measured of the indicators of categories among the entries, of which the
/// target's is the last.
void add_known_products(RegressionProblem& problem, const std::vector<model::MomentEntry>& entries);

/// What the releases of one record set say. What is known of a category's indicators without being measured
/// (the square of one is itself, two of them are never 1 together) is told to the engine as Gaussian noise of
/// a tenth of that on the indicators' sums: sharper would slow the chains and say nothing more.
/// Throws release_inconsistent, releases_conflict.
[[nodiscard]] RegressionProblem make_regression_problem(const release::RecordSet& releases,
                                                        const InferOptions& options);

/// Adds what one block of sums of products, or a count of records, says. Throws release_inconsistent.
void add_regression_block(RegressionProblem& problem, const release::MeasuredBlock& measured,
                          const model::Schema& schema);

}  // namespace postern::infer
