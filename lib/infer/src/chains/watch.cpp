#include "postern/infer/chains/watch.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "postern/core/diagnostics.hpp"

namespace postern::infer {
namespace {

constexpr double kTimesLong = 20;
constexpr double kRhat = 1.05;
constexpr std::size_t kWatched = 32;

}  // namespace

ChainProgress::ChainProgress(const Conversation& conversation, std::string_view phase, std::size_t steps)
    : conversation_(&conversation),
      phase_(phase),
      steps_(steps),
      stride_(std::max<std::size_t>(steps / 100, 1)),
      shared_(std::make_unique<Shared>()) {}

void ChainProgress::passed() {
  const std::size_t done = ++shared_->done;
  if (done % stride_ != 0) return;
  const std::lock_guard lock(shared_->talking);
  conversation_->report(phase_, static_cast<double>(done) / static_cast<double>(steps_));
}

StageVerdict judge_stage(const std::vector<std::vector<double>>& draws, std::size_t quantities,
                         std::size_t length) {
  StageVerdict verdict{true, 1};
  const double all = static_cast<double>(draws.size()) * static_cast<double>(length);
  for (std::size_t q = 0; q < quantities; ++q) {
    std::vector<std::span<const double>> chains;
    chains.reserve(draws.size());
    for (const auto& chain : draws) chains.emplace_back(chain.data() + q * length, length);
    const double rhat = rank_rhat(ChainDraws(chains));
    if (std::isnan(rhat)) continue;
    const double time = all / bulk_ess(ChainDraws(chains));
    if (static_cast<double>(length) < kTimesLong * time || rhat > kRhat) verdict.settled = false;
    verdict.time = std::max(verdict.time, std::min(time, 1e6));
  }
  return verdict;
}

std::vector<std::size_t> watched_quantities(std::size_t quantities) {
  if (quantities <= kWatched) return all_quantities(quantities);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < kWatched; ++i) out.push_back(i * (quantities - 1) / (kWatched - 1));
  return out;
}

std::vector<std::size_t> all_quantities(std::size_t quantities) {
  std::vector<std::size_t> out(quantities);
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

}  // namespace postern::infer
