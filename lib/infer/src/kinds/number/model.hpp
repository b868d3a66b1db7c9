#pragma once

#include <string>
#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/infer/kinds/number/problem.hpp"
#include "postern/model/number_family.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// A family of numbers as the engines see it: its law, its prior, what is reported.
struct NumberModel {
  const model::NumberFamily* family = nullptr;
  std::shared_ptr<const model::NumberLaw> law;
  model::Hyper prior{};  ///< and public rows
  bool learned = false;
  std::vector<std::string> names;
  std::vector<std::string> labels;
};

/// The family's law and its prior: that of `options` if they have one, else the study's.
[[nodiscard]] model::LawWithPrior law_with_prior(const model::Study& study, const InferOptions& options);

/// The prior of `options` if it has one, else the release's; public rows are a conjugate update of it.
[[nodiscard]] NumberModel make_number_model(const model::Study& study, const InferOptions& options);

/// What one record set's releases say: every block of every release is one more noisy value of the same sums.
[[nodiscard]] NumberProblem make_number_problem(const NumberModel& model, const release::RecordSet& releases);

}  // namespace postern::infer
