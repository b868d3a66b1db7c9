#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/parallel.hpp"
#include "postern/core/rng.hpp"
#include "postern/core/stop.hpp"
#include "postern/infer/chains/latent_watch.hpp"
#include "postern/infer/chains/watch.hpp"

namespace postern::infer {

/// An MCMC engine: immutable, everything that changes is in its State. `read` writes the quantities that are
/// reported. A kernel may also have `latents(state, out, rng)`, which writes the latent values behind what
/// was released, or draws them given the state, for whoever looks at them (LatentWatch).
template <class K>
concept Kernel = requires(const K kernel, typename K::State state, const typename K::State& seen,
                          std::span<double> out, Rng& rng) {
  { kernel.init(rng) } -> std::same_as<typename K::State>;
  { kernel.step(state, rng) } -> std::same_as<typename K::Info>;
  { kernel.quantities() } -> std::convertible_to<std::size_t>;
  kernel.read(seen, out);
};

struct DriverOptions {
  std::size_t chains = 4;
  std::size_t draws = 1000;  ///< kept, per chain
  std::uint64_t seed = 1;
  int threads = 0;
  // The rule of warm-up and thinning, see run_chains.
  std::size_t first_stage = 200;
  std::size_t most_warmup = 25'000;
  std::size_t most_thinning = 64;
  double apart = 1;          ///< autocorrelation times between draws that are kept, about
  LatentWatch latents = {};  ///< sees them where the kernel tells them
};

struct ChainRun {
  std::vector<std::vector<double>> draws;  ///< [chain][quantity * draws + i], as Posterior keeps them
  std::size_t warmup = 0;                  ///< steps a chain thrown away
  std::size_t thinning = 1;                ///< one draw is kept of so many steps
};

/// What is behind the released values in this state. The numbers it draws are its own, of a copy: they follow
/// the chain's, and the draws that are kept do not depend on who looks.
template <Kernel K>
void show_latents(const K& kernel, const typename K::State& state, std::span<double> latents, Rng rng,
                  std::size_t chain, const LatentWatch& watch) {
  if constexpr (requires { kernel.latents(state, latents, rng); }) {
    kernel.latents(state, latents, rng);
    watch.see(chain, latents);
  }
}

/// Runs a kernel's chains. Warm-up goes in stages, each twice as long as the one before, until the last stage
/// is at least 20 autocorrelation times long and its R-hat is below 1.05, or the next stage would pass
/// `most_warmup` steps; all of it is thrown away. Then one draw is kept of every ceil(apart x autocorrelation
/// time) steps, at most `most_thinning`, the time being the longest of the quantities in the last stage: what
/// is kept is nearly independent where `apart` is 1. Chain c draws from stream c of the seed, and the rule
/// looks at all chains together, so the draws do not depend on the number of threads. Throws interrupted; a
/// stop is looked for at every step.
template <Kernel K>
[[nodiscard]] ChainRun run_chains(const K& kernel, const DriverOptions& options,
                                  const Conversation& conversation) {
  struct Chain {
    Rng rng;
    typename K::State state;
  };
  std::vector<Chain> chains;
  for (std::size_t c = 0; c < options.chains; ++c) {
    Rng rng(options.seed, static_cast<std::uint32_t>(c), Purpose::draws);
    typename K::State state = kernel.init(rng);
    chains.push_back({rng, std::move(state)});
  }
  const std::size_t quantities = kernel.quantities();

  /// Takes `length` times `thinning` steps in every chain, and keeps the `kept` quantities column by column.
  const auto advance = [&](std::span<const std::size_t> kept, std::size_t length, std::size_t thinning,
                           const LatentWatch& watch, ChainProgress progress) {
    std::vector<std::vector<double>> out(chains.size());
    parallel_for(chains.size(), options.threads, [&](std::size_t c) {
      std::vector<double> values(quantities);
      std::vector<double> latents(watch.size);
      out[c].resize(kept.size() * length);
      for (std::size_t i = 0; i < length; ++i) {
        for (std::size_t t = 0; t < thinning; ++t) {
          conversation.check();
          kernel.step(chains[c].state, chains[c].rng);
        }
        kernel.read(chains[c].state, values);
        for (std::size_t q = 0; q < kept.size(); ++q) out[c][q * length + i] = values[kept[q]];
        if (watch.wants(i)) show_latents(kernel, chains[c].state, latents, chains[c].rng, c, watch);
        progress.passed();
      }
    });
    return out;
  };

  ChainRun run;
  const std::vector<std::size_t> watched = watched_quantities(quantities);
  for (std::size_t length = options.first_stage;; length *= 2) {
    const auto stage =
        advance(watched, length, 1, {}, ChainProgress(conversation, "warming up", length * chains.size()));
    run.warmup += length;
    const StageVerdict verdict = judge_stage(stage, watched.size(), length);
    const double steps = std::ceil(options.apart * verdict.time);
    run.thinning =
        static_cast<std::size_t>(std::clamp(steps, 1.0, static_cast<double>(options.most_thinning)));
    if (verdict.settled || run.warmup + 2 * length > options.most_warmup) break;
  }
  const std::vector<std::size_t> all = all_quantities(quantities);
  if (options.latents.begin) options.latents.begin();
  run.draws = advance(all, options.draws, run.thinning, options.latents,
                      ChainProgress(conversation, "sampling", options.draws * chains.size()));
  return run;
}

}  // namespace postern::infer
