#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/network/problem.hpp"

#include "adult_records.hpp"

namespace postern::adult {

constexpr double kPrior = 0.5;  ///< a cell of a row, of both methods

/// CPTs of all columns one behind the other, rows contiguous.
using Theta = std::vector<double>;

/// The row of a column's CPT that a record is in.
[[nodiscard]] std::size_t row_of(const Parents& parents, const Record& record, std::size_t column);
/// Where the CPT of each column begins, and at last how long all of them are.
[[nodiscard]] std::vector<std::size_t> offsets(const Parents& parents);
/// Where the probabilities are whose product is that of a record.
[[nodiscard]] std::array<std::size_t, kColumns> cells_of(const Parents& parents,
                                                         std::span<const std::size_t> offsets,
                                                         const Record& record);
[[nodiscard]] Theta draw_theta(const Parents& parents, Rng& rng);
[[nodiscard]] std::vector<Record> draw_records(const Parents& parents, const Theta& theta, std::size_t n,
                                               Rng& rng);
/// The table of every family with discrete Laplace noise for epsilon in all, under replace-one.
[[nodiscard]] infer::NetworkProblem noisy_tables(const Parents& parents, const std::vector<Record>& records,
                                                 double epsilon, Rng& rng);
/// Draws of a run, one CPT set after the other.
[[nodiscard]] std::vector<Theta> thetas(const infer::ChainRun& run, std::size_t cells);

}  // namespace postern::adult
