#pragma once

#include <cstddef>
#include <vector>

#include "postern/core/parallel.hpp"
#include "postern/core/rng.hpp"
#include "postern/infer/infer.hpp"

namespace postern::infer {

/// Calls draw(rng, values) for every iteration of every chain, `values` one number a quantity. Chain c has
/// its own stream, so the draws do not depend on the number of threads.
template <class Draw>
void fill_draws(Posterior& out, const InferOptions& options, const Conversation& conversation,
                const Draw& draw) {
  const std::size_t quantities = out.names.size();
  out.draws.resize(out.chains);
  parallel_for(out.chains, options.threads, [&](std::size_t chain) {
    Rng rng(options.seed, static_cast<std::uint32_t>(chain), Purpose::draws);
    std::vector<double> values(quantities);
    std::vector<double>& kept = out.draws[chain];
    kept.resize(quantities * out.iterations);
    for (std::size_t i = 0; i < out.iterations; ++i) {
      if (i % 64 == 0) conversation.check();
      draw(rng, values);
      for (std::size_t q = 0; q < quantities; ++q) kept[q * out.iterations + i] = values[q];
    }
  });
}

/// A line of the summary without its numbers.
[[nodiscard]] inline SummaryRow summary_row(const Posterior& out, std::size_t quantity) {
  SummaryRow row;
  row.name = out.names[quantity];
  row.label = out.labels[quantity];
  return row;
}

}  // namespace postern::infer
