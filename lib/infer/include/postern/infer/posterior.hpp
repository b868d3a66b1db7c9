#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "postern/core/warning.hpp"
#include "postern/infer/auxiliary.hpp"
#include "postern/infer/implied_noise.hpp"

namespace postern::infer {

/// One column of a table, with the labels of its levels.
struct TableColumn {
  std::string name;
  std::vector<std::string> levels;
};

/// One line of the table people read. ess and rhat are absent for i.i.d. draws.
struct SummaryRow {
  std::string name;   ///< CmdStan-legal: theta, p.1, n
  std::string label;  ///< P(smoker = yes)
  double mean = 0, sd = 0, q05 = 0, q50 = 0, q95 = 0;
  std::optional<double> ess, rhat;
};

/// The summary that another prior would have led to.
struct Alternative {
  double prior_times = 1;  ///< the prior's records times this
  std::vector<SummaryRow> summary;
};

/// Draws and what is known about them. draws[chain][quantity * iterations + i]: column-major within a chain.
struct Posterior {
  std::vector<std::string> names;
  std::vector<std::string> labels;
  std::size_t chains = 0;
  std::size_t iterations = 0;  ///< per chain
  std::vector<std::vector<double>> draws;
  std::vector<SummaryRow> summary;
  std::vector<Alternative> sensitivity;  ///< where it was asked for
  std::string engine;                    ///< "exact"
  std::string reason;                    ///< why this engine
  std::vector<Warning> warnings;         ///< reasons not to rely on it
  std::vector<std::string> notes;        ///< assumptions, in plain words
  /// What the draws take from coarse released facts alone, so that fine ones do not tell of it ("n",
  /// "centres"): part of the posterior's definition (docs/priors.md).
  std::vector<std::string> cut;
  std::optional<double> log_evidence;
  std::optional<ImpliedNoise> implied_noise;  ///< where the engine tells what is behind the released values
  // What it was made from, so that a saved posterior can be told apart and made again.
  std::uint64_t seed = 0;
  std::vector<std::string> releases;        ///< their ids
  std::optional<std::string> prior;         ///< that replaced the study's, as it was stated
  std::optional<std::int64_t> public_rows;  ///< how many were taken
  /// The releases as they were published, so that an engine can be made again; none where that is not known.
  std::vector<std::string> documents;
  std::optional<PublicRows> public_data;  ///< the public rows that were taken
  std::vector<TableColumn> table;         ///< whose cells p.1 ... are, row-major; else empty
};

}  // namespace postern::infer
