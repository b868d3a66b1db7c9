#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/parallel.hpp"
#include "postern/core/rng.hpp"
#include "postern/infer/infer.hpp"

#include "noise_check/noise_watch.hpp"
#include "stream_key.hpp"

namespace postern::infer {

/// Calls draw(rng, values, chain, iteration) for every iteration of every chain, `values` one number a
/// quantity. Chain c has its own stream, so the draws do not depend on the number of threads. @pre out.engine
/// is named
template <class Draw>
void fill_draws_of_chains(Posterior& out, const InferOptions& options, const Conversation& conversation,
                          const Draw& draw) {
  const std::size_t quantities = out.names.size();
  const std::uint64_t key = stream_key(options.seed, out.engine);
  out.draws.resize(out.chains);
  parallel_for(out.chains, options.threads, [&](std::size_t chain) {
    Rng rng(key, static_cast<std::uint32_t>(chain), Purpose::draws);
    std::vector<double> values(quantities);
    std::vector<double>& kept = out.draws[chain];
    kept.resize(quantities * out.iterations);
    for (std::size_t i = 0; i < out.iterations; ++i) {
      if (i % 64 == 0) conversation.check();
      draw(rng, values, chain, i);
      for (std::size_t q = 0; q < quantities; ++q) kept[q * out.iterations + i] = values[q];
    }
  });
}

/// Calls draw(rng, values).
template <class Draw>
void fill_draws(Posterior& out, const InferOptions& options, const Conversation& conversation,
                const Draw& draw) {
  fill_draws_of_chains(out, options, conversation,
                       [&](Rng& rng, std::vector<double>& values, std::size_t /*chain*/, std::size_t /*i*/) {
                         draw(rng, values);
                       });
}

/// The same where an engine tells what is behind the released values: draw(rng, values, latent) also writes
/// these, unless `latent` is empty.
template <class Draw>
void fill_draws(Posterior& out, const InferOptions& options, const Conversation& conversation,
                NoiseWatch& watch, const Draw& draw) {
  std::vector<std::vector<double>> latent(out.chains, std::vector<double>(watch.size()));
  fill_draws_of_chains(out, options, conversation,
                       [&](Rng& rng, std::vector<double>& values, std::size_t chain, std::size_t i) {
                         if (!watch.wants(i)) return draw(rng, values, std::span<double>());
                         draw(rng, values, std::span(latent[chain]));
                         watch.see(chain, latent[chain]);
                       });
  watch.tell(out);
}

/// A line of the summary without its numbers.
[[nodiscard]] inline SummaryRow summary_row(const Posterior& out, std::size_t quantity) {
  SummaryRow row;
  row.name = out.names[quantity];
  row.label = out.labels[quantity];
  return row;
}

}  // namespace postern::infer
