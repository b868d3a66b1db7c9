#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data.hpp"

namespace postern::wm10 {

/// One execution of noisy gradient ascent and what inference makes of it; errors in per cent of the test set.
struct Execution {
  double heuristic = 0;       ///< of the last coefficients
  double expected = 0;        ///< mean over posterior draws
  double vote = 0;            ///< of the label that most of the posterior prefers
  double log_likelihood = 0;  ///< mean log posterior predictive of a test label, nats
};

struct Ascent {
  double epsilon = 1;  ///< of all rounds together, add-remove, continuous Laplace noise as in the paper
  std::size_t rounds = 10;
  std::size_t draws = 300;      ///< of the posterior
  std::size_t public_rows = 0;  ///< known as they are (figure 3b), at most 200
};
[[nodiscard]] Execution execute(const Dataset& data, const Ascent& ascent, Rng& rng);
/// Without privacy: the best coefficients' error.
[[nodiscard]] double benchmark(const Dataset& data);

struct Plan {
  bool quick = false;
  std::uint64_t seed = 1;
  int threads = 0;
  std::filesystem::path data;  ///< the folder of PIMA and ADULT; empty: without them
};
/// wm10-table1.csv: the data sets.
void write_datasets(const std::filesystem::path& folder, const Plan& plan);
/// wm10-table2.csv: error rates at epsilon = 0.1. wm10-table3.csv: at 1.
void write_table(const std::filesystem::path& folder, const Plan& plan, double epsilon);
/// wm10-fig3a.csv: paths. wm10-fig3b.csv: public rows.
void write_paths(const std::filesystem::path& folder, const Plan& plan);
void write_public(const std::filesystem::path& folder, const Plan& plan);

}  // namespace postern::wm10
