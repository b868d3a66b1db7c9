#include "postern/owner/gate.hpp"

#include <ctime>

#include "postern/core/error.hpp"
#include "postern/core/version.hpp"
#include "postern/owner/crash_point.hpp"
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
  if (token.plan().rounds) out.rounds = release::Rounds{*token.plan().rounds, {}};
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

/// What is published of one measurement: noise added, candidates chosen.
std::vector<release::MeasuredBlock> noised(DrawnNoise& drawn, const std::vector<std::vector<Int128>>& exact) {
  const std::vector<model::Block>& blocks = drawn.measurement().blocks;
  if (exact.size() != blocks.size())
    throw Error(ErrorCode::internal, {"a measurement lost one of its blocks"});
  std::vector<release::MeasuredBlock> out;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const bool choice = blocks[b].noise.kind == model::NoiseKind::exponential;
    std::vector<Int128> values =
        choice ? std::vector<Int128>{drawn.choose(b, exact[b])} : sum(exact[b], drawn.added()[b]);
    out.push_back({blocks[b], std::move(values)});
  }
  return out;
}

/// What would fail once the charge is made, and can be known before.
void check_rounds(const GateRequest& request) {
  const model::RoundRule* rule = request.study.model.kind().round_rule(request.study, request.plan.request);
  if ((rule != nullptr) != request.plan.rounds.has_value())
    throw Error(ErrorCode::internal, {"a plan does not have the rounds of its study's model"});
  if (rule != nullptr && rule->takes_table() && !request.fit)
    throw Error(ErrorCode::internal, {"these rounds depend on a table, and nothing was given to make it"});
}

/// All rounds after the first. Whatever is thrown, nothing of what was drawn leaves.
void go_on(const GateRequest& request, const Measured& measured, DrawnNoise& drawn, release::Release& out) {
  if (!measured.again) throw Error(ErrorCode::internal, {"these records can be measured only once"});
  const bool takes_table =
      request.study.model.kind().round_rule(request.study, request.plan.request)->takes_table();
  crash_point(CrashPoint::after_round);
  while (out.rounds->made.size() < request.plan.rounds->at_most) {
    if (takes_table) out.rounds->made.back().table = request.fit(out);
    if (!drawn.next_round(release::published_rounds(out))) return;
    release::add_round(out, noised(drawn, measured.again(drawn.measurement())));
    crash_point(CrashPoint::after_later_round);
  }
}

}  // namespace

release::Release pass_gate(const GateRequest& request, Ledger& ledger, Entropy& entropy,
                           const Measure& measure) {
  model::check_study(request.study);
  ledger.check_terms(request.study);
  check_rounds(request);
  entropy.rekey();
  NoiseSource source(ledger.charge(request.study, request.plan, entropy), entropy);
  release::Release out = announce(request, source.token());
  // All noise whose law is known is drawn before a record is looked at: its timing cannot depend on them.
  DrawnNoise drawn = std::move(source).draw();
  const Measured measured = measure(drawn.measurement());
  out.n = state_count(request.study.privacy, measured.n);
  std::vector<release::MeasuredBlock> first = noised(drawn, measured.blocks);
  if (!out.rounds) {
    out.blocks = std::move(first);
  } else {
    release::add_round(out, std::move(first));
    go_on(request, measured, drawn, out);
  }
  return out;
}

}  // namespace postern::owner
