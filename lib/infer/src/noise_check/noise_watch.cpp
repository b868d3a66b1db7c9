#include "noise_watch.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "postern/release/noise_sum.hpp"

#include "checked_block.hpp"
#include "noise_tail.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kMostLooks = 800;          ///< at draws, of all chains together
constexpr std::size_t kMostCells = 200'000'000;  ///< latent values that are looked at, in all

/// What the draws said of a part of a block: tail probabilities and noise, summed over draws.
struct Seen {
  double size = 0;
  double sum = 0;
  double noise = 0;
};

/// One draw's noise in a part.
struct Noise {
  double size = 0;
  double sum = 0;
};

/// Tables of tails, made once for all parts of as many cells under the same law.
struct Tails {
  NoiseTail size;
  NoiseTail sum;
};
using Key = std::tuple<std::size_t, double, double, std::size_t>;
using TailsOf = std::map<Key, Tails>;

struct Watched {
  CheckedBlock block;
  std::vector<std::size_t> cells;   ///< of each part: the block, then its levels
  std::vector<const Tails*> tails;  ///< of each part
};

Watched watched(CheckedBlock block, TailsOf& known) {
  Watched out{std::move(block), {}, {}};
  if (out.block.released.empty()) return out;
  out.cells.push_back(out.block.size);
  for (const MarginLevel& level : out.block.levels) out.cells.push_back(level.cells);
  const release::NoiseLaw& law = *out.block.law;
  const auto [rate, precision] = release::shape(law);
  for (const std::size_t cells : out.cells) {
    const Key key{law.index(), rate, precision, cells};
    auto found = known.find(key);
    if (found == known.end())
      found = known.emplace(key, Tails{NoiseTail::of_size(law, cells), NoiseTail::of_sum(law, cells)}).first;
    out.tails.push_back(&found->second);
  }
  return out;
}

/// One draw's noise in every part of a block. False where the draw does not tell.
bool noise_in(const Watched& watched, std::span<const double> latent, std::vector<Noise>& parts) {
  const CheckedBlock& block = watched.block;
  parts.assign(watched.cells.size(), {});
  for (std::size_t i = 0; i < block.size; ++i) {
    const double noise = block.released[i] - latent[block.first + i];
    if (!std::isfinite(noise)) return false;
    const double size = size_of(*block.law, noise);
    parts[0].size += size;
    parts[0].sum += noise;
    for (const std::vector<std::uint32_t>& level_of : block.level_of) {
      Noise& part = parts[1 + level_of[i]];
      part.size += size;
      part.sum += noise;
    }
  }
  return true;
}

/// One chain's, so that chains can run at the same time.
struct Tally {
  std::size_t looks = 0;
  std::vector<std::vector<Seen>> seen;  ///< [block][part]; empty where a draw did not tell
  std::vector<Noise> parts;
};

void look(const std::vector<Watched>& blocks, std::span<const double> latent, Tally& tally) {
  ++tally.looks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Watched& one = blocks[b];
    std::vector<Seen>& seen = tally.seen[b];
    if (seen.empty()) continue;
    if (!noise_in(one, latent, tally.parts)) {
      seen.clear();
      continue;
    }
    for (std::size_t p = 0; p < seen.size(); ++p) {
      seen[p].size += one.tails[p]->size.at(tally.parts[p].size);
      seen[p].sum += one.tails[p]->sum.at(std::abs(tally.parts[p].sum));
      seen[p].noise += tally.parts[p].sum;
    }
  }
}

/// A bound on the chance that noise in `cells` cells adds up to so much, on either side.
double chance_of_sum(const release::NoiseLaw& law, std::size_t cells, double noise) {
  const release::NoiseSum sum(law, static_cast<double>(cells));
  // A mean over draws is no whole number: what bounds the sum of two or more noises bounds it (Jensen), and
  // of one noise the bound is that of a sum whose second term is nothing.
  release::NoiseSum mean;
  mean.add(sum, 1 - 1e-12);
  return std::min(1.0, 2 * std::exp(mean.log_tail(std::abs(noise))));
}

/// What is told of one block, its chances not yet multiplied by the number of tests.
ImpliedNoise::Block told(const Watched& watched, const std::vector<Seen>& seen, double tests) {
  const CheckedBlock& block = watched.block;
  ImpliedNoise::Block out;
  out.what = block.what;
  out.values = block.size;
  const double sd = std::sqrt(release::variance(*block.law));
  const double parts = tests / 2;
  for (std::size_t p = 0; p < seen.size(); ++p) {
    const double deviations = seen[p].noise / (sd * std::sqrt(static_cast<double>(watched.cells[p])));
    if (p == 0) {
      out.size = seen[p].size;
      out.sum = seen[p].sum;
      out.deviations = deviations;
    }
    // By the law of tail probabilities that are averages, twice the average.
    const double by_size = 2 * tests * seen[p].size;
    const double by_sum =
        std::min(2 * tests * seen[p].sum, parts * chance_of_sum(*block.law, watched.cells[p], seen[p].noise));
    const double chance = std::min({1.0, by_size, by_sum});
    if (p > 0 && !(chance < out.chance)) continue;
    out.chance = chance;
    out.by_sum = by_sum <= by_size;
    out.worst = p == 0 ? "" : block.levels[p - 1].name;
    out.worst_deviations = deviations;
  }
  return out;
}

}  // namespace

struct NoiseWatch::Inside {
  TailsOf tails;
  std::vector<Watched> blocks;
  std::size_t size = 0;
  std::size_t stride = 1;
  std::vector<Tally> chains;

  void forget() {
    Tally empty;
    for (const Watched& block : blocks) empty.seen.emplace_back(block.cells.size());
    chains.assign(chains.size(), empty);
  }
};

NoiseWatch::NoiseWatch(const std::vector<release::RecordSet>& sets, std::size_t chains, std::size_t draws)
    : inside_(std::make_unique<Inside>()) {
  for (CheckedBlock& block : checked_blocks(sets)) {
    inside_->size += block.size;
    inside_->blocks.push_back(watched(std::move(block), inside_->tails));
  }
  const std::size_t looks =
      std::clamp<std::size_t>(kMostCells / std::max<std::size_t>(1, inside_->size), 10 * chains, kMostLooks);
  inside_->stride = std::max<std::size_t>(1, (draws * chains + looks - 1) / looks);
  inside_->chains.resize(chains);
  inside_->forget();
}

NoiseWatch::NoiseWatch(const std::vector<release::RecordSet>& sets, const Posterior& out,
                       const InferOptions& options)
    : NoiseWatch(options.check_noise ? sets : std::vector<release::RecordSet>(), out.chains, out.iterations) {
}

NoiseWatch::~NoiseWatch() = default;

std::size_t NoiseWatch::size() const { return inside_->size; }

bool NoiseWatch::wants(std::size_t draw) const { return inside_->size > 0 && draw % inside_->stride == 0; }

void NoiseWatch::see(std::size_t chain, std::span<const double> latent) {
  look(inside_->blocks, latent, inside_->chains[chain]);
}

LatentWatch NoiseWatch::for_chains() {
  return {inside_->size, inside_->stride,
          [this](std::size_t chain, std::span<const double> latent) { see(chain, latent); },
          [this] { inside_->forget(); }};
}

void NoiseWatch::tell(Posterior& out) const {
  if (size() == 0) return;
  ImpliedNoise found = result();
  if (!found.blocks.empty()) out.implied_noise = std::move(found);
}

ImpliedNoise NoiseWatch::result() const {
  ImpliedNoise out;
  std::vector<std::vector<Seen>> means;
  for (std::size_t b = 0; b < inside_->blocks.size(); ++b) {
    std::vector<Seen> all(inside_->blocks[b].cells.size());
    double looks = 0;
    for (const Tally& chain : inside_->chains) {
      looks += static_cast<double>(chain.looks);
      if (chain.seen[b].size() < all.size()) all.clear();
      for (std::size_t p = 0; p < all.size(); ++p) {
        all[p].size += chain.seen[b][p].size;
        all[p].sum += chain.seen[b][p].sum;
        all[p].noise += chain.seen[b][p].noise;
      }
    }
    if (looks == 0) all.clear();
    for (Seen& one : all) one = {one.size / looks, one.sum / looks, one.noise / looks};
    out.tests += 2 * all.size();
    means.push_back(std::move(all));
  }
  for (std::size_t b = 0; b < means.size(); ++b) {
    if (means[b].empty()) continue;
    out.blocks.push_back(told(inside_->blocks[b], means[b], static_cast<double>(out.tests)));
    out.chance = std::min(out.chance, out.blocks.back().chance);
  }
  return out;
}

}  // namespace postern::infer
