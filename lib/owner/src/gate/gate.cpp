#include "postern/owner/gate.hpp"

#include <ctime>

#include "postern/core/error.hpp"
#include "postern/core/version.hpp"
#include "postern/owner/noise_source.hpp"

namespace postern::owner {
namespace {

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[16];
  (void)std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
  return text;
}

release::Release announce(const GateRequest& request, const ChargeToken& token) {
  release::Release out;
  out.release_id = token.release_id();
  out.created = today();
  out.software = std::string("postern ") + kVersion;
  out.counted_by_caller = request.counted_by_caller;
  out.study = request.study;
  out.request = token.plan().request;
  out.cost = token.plan().cost;
  out.ledger = {token.seq(), token.head(), token.record_set()};
  return out;
}

release::CountStatement state_count(const model::PrivacyPolicy& privacy, std::int64_t n) {
  if (privacy.adjacency == model::Adjacency::replace_one) return release::PublicCount{n};
  return release::PrivateCount{*privacy.n_at_most};
}

std::vector<Int128> sum(const std::vector<Int128>& exact, const std::vector<Int128>& noise) {
  if (exact.size() != noise.size())
    throw Error(ErrorCode::internal, {"a measurement does not have the size of its noise"});
  std::vector<Int128> noisy(exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) noisy[i] = exact[i] + noise[i];
  return noisy;
}

}  // namespace

release::Release pass_gate(const GateRequest& request, Ledger& ledger, Entropy& entropy,
                           const Measure& measure) {
  model::check_study(request.study);
  ledger.check_terms(request.study);
  entropy.rekey();
  NoiseSource source(ledger.charge(request.study, request.plan, entropy), entropy);
  release::Release out = announce(request, source.token());
  const model::Measurement measurement = source.token().plan().measurement;
  // All noise is drawn before a record is looked at: its timing cannot depend on them.
  DrawnNoise drawn = std::move(source).draw();
  const std::vector<std::vector<Int128>>& noise = drawn.added();
  const Measured measured = measure(measurement);
  if (measured.blocks.size() != noise.size())
    throw Error(ErrorCode::internal, {"a measurement lost one of its blocks"});
  out.n = state_count(request.study.privacy, measured.n);
  for (std::size_t b = 0; b < noise.size(); ++b) {
    const model::Block& block = measurement.blocks[b];
    if (block.noise.kind == model::NoiseKind::exponential) {
      out.blocks.push_back({block, {drawn.choose(b, measured.blocks[b])}});
    } else {
      out.blocks.push_back({block, sum(measured.blocks[b], noise[b])});
    }
  }
  return out;
}

}  // namespace postern::owner
