#include "watch.hpp"

#include "postern/model/statistic/transitions.hpp"

namespace postern::infer {

ChainWatch::ChainWatch(const release::RecordSet& releases, const Posterior& out, const InferOptions& options)
    : watch_({releases}, out, options),
      kept_(out.chains),
      states_(releases.front()->study.model.get<model::MarkovChain>().states) {
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& block : release->blocks) {
      const auto* moves = block.block.statistic.as<model::Transitions>();
      const auto* starts = block.block.statistic.as<model::Starts>();
      if (moves == nullptr && starts == nullptr) continue;
      const auto parts = static_cast<double>(moves != nullptr ? moves->parts : starts->parts);
      // The first cells of the transitions' network are those of the state that is left.
      const std::size_t first = moves != nullptr ? states_ : 0;
      for (std::size_t i = 0; i < block.values.size(); ++i)
        places_.push_back({moves != nullptr, first + i, parts});
    }
  }
}

void ChainWatch::see(std::size_t chain, std::span<const double> initial, std::span<const double> moves) {
  std::vector<double> latent;
  latent.reserve(places_.size());
  for (const Place& place : places_)
    latent.push_back(place.parts * (place.moves ? moves : initial)[place.cell]);
  watch_.see(chain, latent);
}

LatentWatch ChainWatch::of_initial() {
  LatentWatch out = watch_.for_chains();
  if (out.size == 0) return out;
  out.size = states_;
  out.see = [this](std::size_t chain, std::span<const double> counts) {
    kept_[chain].counts.emplace_back(counts.begin(), counts.end());
  };
  out.begin = [this] { kept_.assign(kept_.size(), {}); };
  return out;
}

LatentWatch ChainWatch::of_moves() {
  LatentWatch out = watch_.for_chains();
  if (out.size == 0) return out;
  out.size = states_ * (states_ + 1);
  out.see = [this](std::size_t chain, std::span<const double> counts) {
    Kept& kept = kept_[chain];
    see(chain, kept.counts.at(kept.paired++), counts);
  };
  out.begin = [this, forget = out.begin] {
    forget();
    for (Kept& kept : kept_) kept.paired = 0;
  };
  return out;
}

}  // namespace postern::infer
