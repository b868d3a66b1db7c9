#include "postern/infer/infer.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/core/printable.hpp"
#include "postern/infer/kind.hpp"
#include "postern/infer/public_rows.hpp"
#include "postern/release/foreign.hpp"
#include "postern/release/rounds.hpp"

#include "noise_check/warning.hpp"
#include "posterior/stream_key.hpp"
#include "warnings/datasets.hpp"
#include "warnings/tell.hpp"

namespace postern::infer {
namespace {

/// Of the engines that are named for what they work on; others say themselves why they do not suit.
void refuse_engine(const Kind& kind, const std::vector<release::RecordSet>& sets, EngineChoice engine) {
  if (engine != EngineChoice::tables && engine != EngineChoice::map && engine != EngineChoice::moments &&
      engine != EngineChoice::bounds && engine != EngineChoice::potentials)
    return;
  const std::vector<EngineChoice> fit = kind.engines(sets);
  if (std::find(fit.begin(), fit.end(), engine) != fit.end()) return;
  if (engine == EngineChoice::moments)
    throw Error(ErrorCode::engine_unsuitable,
                {"the moments engine is for linear regressions, and this model is none"});
  if (engine == EngineChoice::bounds)
    throw Error(ErrorCode::engine_unsuitable,
                {"the bounds engine is for choices among candidates for one parameter, the number of records "
                 "public, and this is none"});
  throw Error(ErrorCode::engine_unsuitable,
              {"this engine does not take this model: tables is for Bayesian and Markov networks, potentials "
               "and map for Markov networks"});
}

/// An estimator gives a point, as the map engine does.
void refuse_estimator(const Kind& kind, const std::vector<release::RecordSet>& sets,
                      const InferOptions& options) {
  if (options.estimator.empty()) return;
  if (options.engine != EngineChoice::automatic && options.engine != EngineChoice::map)
    throw Error(ErrorCode::bad_option, {"an estimator gives a point without an interval, which is the map "
                                        "engine's; leave one of the two out"});
  const std::vector<EngineChoice> fit = kind.engines(sets);
  if (std::find(fit.begin(), fit.end(), EngineChoice::map) == fit.end())
    throw Error(ErrorCode::bad_option,
                {"estimators are for one dataset of a Markov network, and this is none; leave it out"});
}

void check_options(std::span<const release::Release> releases, const InferOptions& options) {
  if (releases.empty()) throw Error(ErrorCode::usage, {"there is no release to infer from"});
  if (options.chains < 1 || options.chains > 1000 || options.draws < 1 || options.draws > 100'000'000) {
    throw Error(ErrorCode::bad_option, {"chains must lie in 1..1000 and draws in 1..100000000"});
  }
}

void refuse_foreign(const Kind& kind, std::span<const release::Release> releases) {
  if (kind.takes_foreign()) return;
  for (const release::Release& release : releases) {
    if (!release.foreign) continue;
    throw Error(
        ErrorCode::unsupported,
        {"releases made elsewhere are taken for tables of counts, numbers, Bayesian and Markov networks, "
         "and this model is none of them; declare such a model of what was measured"});
  }
}

/// What a kind is asked: the seed of these releases, so that other releases have other draws under the same
/// seed.
InferOptions with_own_streams(InferOptions options, std::span<const release::Release> releases) {
  std::vector<std::string> ids;
  for (const release::Release& release : releases) ids.push_back(release.release_id);
  options.seed = stream_key(options.seed, std::move(ids));
  return options;
}

/// Whose noise is somebody's word: every answer from it says so.
void warn_of_claims(std::span<const release::Release> releases, Posterior& out) {
  for (const release::Release& release : releases) {
    if (!release.foreign) continue;
    out.warnings.push_back({"noise-not-verified", printable(std::string(release::name_of(release).view()) +
                                                            ": " + release::unverified_claim(release))});
  }
}

/// What is taken for granted of several datasets, and whether their releases contradict it.
void tell_of_pooling(const Kind& kind, const std::vector<release::RecordSet>& sets,
                     const InferOptions& options, const Conversation& conversation, Posterior& out) {
  const std::string datasets = std::to_string(sets.size()) + " datasets";
  out.notes.push_back(datasets + " are assumed disjoint: no person is in two of them");
  out.notes.push_back("one theta for all datasets: these " + datasets + " are taken to follow the same law");
  if (!options.summarise || !options.check_noise) return;
  if (auto warning = disagreeing_datasets(kind, sets, out, options, conversation))
    out.warnings.push_back(std::move(*warning));
}

}  // namespace

Posterior infer(std::span<const release::Release> published, const InferOptions& options,
                const Conversation& conversation) {
  check_options(published, options);
  std::vector<release::Release> releases;
  for (const release::Release& one : published) releases.push_back(release::settled(one));
  const auto priors = options.prior ? release::Priors::may_differ : release::Priors::must_agree;
  const std::vector<release::RecordSet> sets = release::group_by_records(releases, priors);
  const Kind& kind = kind_of(sets.front().front()->study.model);
  refuse_foreign(kind, releases);
  if (options.public_rows) check_takes_public_rows(sets.front().front()->study);
  conversation.report("inferring", 0);
  const std::vector<Warning> contradicted =
      options.summarise ? contradictions_in(sets) : std::vector<Warning>();
  Posterior out;
  try {
    refuse_engine(kind, sets, options.engine);
    refuse_estimator(kind, sets, options);
    out = kind.infer(sets, with_own_streams(options, releases), conversation);
  } catch (const Error& refusal) {
    if (refusal.code() == ErrorCode::engine_limit && !contradicted.empty())
      explain(refusal, contradicted.front());
    if (refusal.code() == ErrorCode::engine_unsuitable) suggest(refusal, sets);
    throw;
  }
  warn_of_claims(releases, out);
  out.warnings.insert(out.warnings.begin(), contradicted.begin(), contradicted.end());
  if (options.summarise) {
    for (Warning& warning : warnings_about(sets, options)) out.warnings.push_back(std::move(warning));
  }
  if (sets.size() > 1) tell_of_pooling(kind, sets, options, conversation, out);
  const model::Model& model = sets.front().front()->study.model;
  const bool could_learn = model.kind().takes_learned_prior(model) &&
                           (options.prior.has_value() || !model.kind().learned_prior(model));
  if (auto warning = implausible_noise(out, could_learn)) out.warnings.push_back(std::move(*warning));
  conversation.report("inferring", 1);
  return out;
}

}  // namespace postern::infer
