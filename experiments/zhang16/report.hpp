#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "method.hpp"

namespace postern::zhang16 {

struct Plan {
  std::size_t repeats = 1200;
  std::size_t averaged_repeats = 200;  ///< of sampler_printed_100
  std::size_t aware_repeats = 1200;    ///< of noise_aware and gain
  std::size_t stealth_draws = 200'000;
  std::uint64_t seed = 1;
  int threads = 0;
};

/// One cell of the table.
struct Cell {
  Method method = Method::nonprivate;
  double epsilon = 0;  ///< NaN if the method has none
  std::size_t repeats = 0;
  double mean = 0;
  double sd = 0;  ///< of one repeat
};

using Progress = std::function<void(double done)>;
[[nodiscard]] std::vector<Cell> run_plan(const Plan& plan, const Progress& progress);

// accuracy: method,epsilon,true_epsilon,repeats,mean,se,sd
// privacy:  quantity,setting,claimed,found
// remark1:  order,coefficients,laplace,fourier_printed,fourier
void write_accuracy(const std::filesystem::path& file, const std::vector<Cell>& cells);
void write_privacy(const std::filesystem::path& file, const Plan& plan);
void write_remark_1(const std::filesystem::path& file);

}  // namespace postern::zhang16
