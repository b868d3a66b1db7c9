#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "adult_records.hpp"

namespace postern::adult {

struct Plan {
  std::vector<double> epsilons{0.1, 0.5, 1, 2, 5};
  std::vector<double> covered_epsilons{0.5, 2, 10};
  std::size_t noise_draws = 20;
  std::size_t truths = 20;       ///< drawn from the prior, for coverage
  std::size_t draws = 250;       ///< of the posterior, a chain
  std::size_t records = 26'048;  ///< for coverage, and of made-up data
  std::uint64_t seed = 1;
  int threads = 0;
};

/// Held-out log-loss of the plug-in less that of the noise-aware posterior, in nats a record.
struct Gain {
  std::string network;  ///< two-parents or tree
  std::string of;       ///< joint, or income given the rest
  double epsilon = 0;
  std::size_t repeats = 0;
  double gain = 0;
  double se = 0;
  double plug_in = 0;  ///< its log-loss
};
/// Of the CPT entries of truths from the prior, how many 90 % intervals hold.
struct Coverage {
  std::string network;
  double epsilon = 0;
  std::size_t truths = 0;
  double noise_aware = 0;
  double se = 0;  ///< truths are the clusters
  double plug_in = 0;
};

/// The first four fifths of the records are released, the others held out. Rows are told as they are done.
void measure_gains(const Plan& plan, const std::vector<Record>& records,
                   const std::function<void(const Gain&)>& tell);
void measure_coverage(const Plan& plan, const std::function<void(const Coverage&)>& tell);

}  // namespace postern::adult
