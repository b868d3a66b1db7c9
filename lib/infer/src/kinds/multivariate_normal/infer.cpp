#include "infer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/kinds/multivariate_normal/augment/records.hpp"
#include "postern/infer/kinds/multivariate_normal/augment/totals.hpp"
#include "postern/model/kinds/multivariate_normal.hpp"

#include "kinds/covariance/draws.hpp"
#include "kinds/plug_in.hpp"
#include "model.hpp"
#include "noise_check/noise_watch.hpp"
#include "posterior/draw_summary.hpp"
#include "posterior/fill_draws.hpp"
#include "posterior/from_chains.hpp"
#include "posterior/start.hpp"

namespace postern::infer {
namespace {

/// What is inferred from: a record set for each dataset.
struct Question {
  const std::vector<release::RecordSet>& releases;
  VectorModel model;
  VectorProblem problem;
  std::vector<NamedTotal> totals;
  Asked asked = Asked::normal;
};

Posterior start(const Question& question, const InferOptions& options) {
  return start_posterior(question.model.names, question.model.labels, question.totals, options);
}

double expected_records(const VectorProblem& problem) {
  double n = 0;
  for (const VectorRecords& records : problem.sets) n += plug_in(records).weight;
  return n;
}

/// Many records are slow, not wrong: says how slow.
void note_cost(Posterior& out, const Question& question) {
  constexpr double kMany = 1e5;
  constexpr double kSeconds = 1e-7;  // a record, column and step
  const double records = expected_records(question.problem);
  if (records <= kMany) return;
  const double step = records * static_cast<double>(question.model.columns.size()) * kSeconds;
  out.notes.push_back("about " + std::to_string(std::llround(records)) + " latent records: some " +
                      std::to_string(std::max(1LL, std::llround(step * 1000 / 60))) +
                      " minutes for 1000 steps of a chain on one core");
}

/// For chains, which tell n and all sums of every set.
LatentWatch watch_sums(const Question& question, NoiseWatch& watch) {
  LatentWatch out = watch.for_chains();
  if (out.size == 0) return out;
  const std::size_t each = 1 + sums_of(question.model.columns.size());
  std::vector<std::size_t> places;
  for (std::size_t s = 0; s < question.releases.size(); ++s) {
    for (const std::size_t at : released_sums(question.model, question.releases[s]))
      places.push_back(s * each + at);
  }
  out.see = [places, see = out.see](std::size_t chain, std::span<const double> sums) {
    std::vector<double> latent;
    for (const std::size_t place : places) latent.push_back(sums[place]);
    see(chain, latent);
  };
  out.size = question.releases.size() * each;
  return out;
}

Posterior infer_augmented(const Question& question, const std::string& why, const InferOptions& options,
                          const Conversation& conversation) {
  Posterior out = start(question, options);
  NoiseWatch watch(question.releases, out, options);
  DriverOptions driver = driver_for(out, options, "augment");
  driver.latents = watch_sums(question, watch);
  refuse_too_large(forecast_records(question.problem, driver), options);
  out.notes.insert(out.notes.end(), question.model.notes.begin(), question.model.notes.end());
  note_cost(out, question);
  take_chains(out, draw_augmented_vectors(question.problem, driver, conversation), "augment", why, options);
  watch.tell(out);
  return out;
}

/// Moments are of one record set, and a learned prior needs records enough.
bool moments_take(const Question& question) {
  if (question.problem.sets.size() != 1) return false;
  const auto* known = std::get_if<KnownTotal>(&question.problem.sets.front().total);
  return known == nullptr || known->n >= static_cast<std::int64_t>(question.model.columns.size()) + 2;
}

/// Latent records times columns: from kMany on chains take more than some seconds, from kTooMany on minutes.
constexpr double kMany = 3000;
constexpr double kTooMany = 15'000;
double latent_size(const Question& question) {
  return expected_records(question.problem) * static_cast<double>(question.model.columns.size());
}

/// Moments say what latent records would: few records are clamped, and the grid is fine.
bool moments_suit(const MomentsFit& fit) {
  constexpr double kRough = 0.01;
  for (const double share : fit.outside) {
    if (share > kManyOutside) return false;
  }
  return fit.rounding < kRough;
}

/// `unless_unsuitable`: nothing where moments do not suit the draws.
std::optional<Posterior> infer_moments(const Question& question, const std::string& why,
                                       bool unless_unsuitable, const InferOptions& options,
                                       const Conversation& conversation) {
  NormalColumns columns = make_normal_columns(question.model.columns, question.releases.front());
  if (!question.model.learned) {
    state_prior(columns, question.model.prior);
  } else if (question.asked == Asked::axes) {
    ask_for_axes(columns);
  }
  columns.problem.prior_scale = options.prior_scale;
  std::vector<NamedTotal> totals = question.totals;
  totals.front().at_least = static_cast<std::int64_t>(least_records(columns.problem));
  Posterior out = start_posterior(question.model.names, question.model.labels, totals, options);
  NoiseWatch watch(question.releases, out, options);
  DriverOptions driver = driver_for(out, options, "moments");
  driver.latents = watch.for_chains();
  NormalDraws draws(columns, driver, conversation);
  if (unless_unsuitable && !moments_suit(draws.fit())) return std::nullopt;
  draws.tell(out);
  take_chains(out, std::move(draws).in_study_units(), "moments", why, options);
  watch.tell(out);
  return out;
}

constexpr const char* kMomentsWhy = "chains on the latent sums of products, all else integrated out";
constexpr const char* kLearnedWhy = "chains on the latent sums of products and on the scales of their prior";

Posterior infer_automatically(const Question& question, const InferOptions& options,
                              const Conversation& conversation) {
  const bool possible = moments_take(question);
  if (possible && question.model.learned)
    return *infer_moments(question, kLearnedWhy, false, options, conversation);
  const double size = latent_size(question);
  if (possible && size > kMany) {
    auto out = infer_moments(question, kMomentsWhy, size <= kTooMany, options, conversation);
    if (out) return std::move(*out);
  }
  Posterior out = infer_augmented(question, "latent records of several columns", options, conversation);
  if (question.model.learned) {
    out.notes.emplace_back(
        "the prior's scales are learned from one dataset with more records than columns; here the prior is "
        "the law that plans are made with: state one by numbers if it does not suit");
  }
  return out;
}

Posterior infer_naive(const Question& question, const InferOptions& options,
                      const Conversation& conversation) {
  Posterior out = start(question, options);
  const std::size_t d = question.model.columns.size();
  VectorMoments all;
  std::vector<double> latent;
  for (const VectorRecords& records : question.problem.sets) {
    const VectorMoments moments = plug_in(records);
    all = together(all, moments, d);
    if (std::holds_alternative<LatentTotal>(records.total)) latent.push_back(moments.weight);
  }
  out.engine = "naive";
  out.reason = "asked for; it takes the noisy sums for the truth, and clamped records for whole ones";
  out.warnings.push_back(naive_warning());
  const NormalWishart law(question.problem.prior);
  fill_draws(out, options, conversation, [&](Rng& rng, std::vector<double>& values) {
    const MeanAndSpread theta = law.draw(all, rng);
    for (std::size_t i = 0; i < d; ++i) {
      values[i] = theta.mean[i];
      for (std::size_t j = i; j < d; ++j) values[d + packed(i, j, d)] = covariance(theta, i, j);
    }
    std::copy(latent.begin(), latent.end(), values.end() - static_cast<std::ptrdiff_t>(latent.size()));
  });
  for (std::size_t q = 0; options.summarise && q < out.names.size(); ++q)
    out.summary.push_back(summarise_draws(out, q, DrawKind::independent));
  return out;
}

}  // namespace

Posterior infer_vector(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                       const Conversation& conversation, Asked asked) {
  Question question{sets, make_vector_model(sets.front().front()->study, options), {}, {}, asked};
  question.problem.prior = question.model.prior;
  for (const release::RecordSet& set : sets) {
    question.problem.sets.push_back(make_vector_records(question.model, set));
    question.totals.push_back({set.front()->study.dataset, question.problem.sets.back().total});
  }
  switch (options.engine) {
    case EngineChoice::naive:
      return infer_naive(question, options, conversation);
    case EngineChoice::augment:
      if (question.model.learned) {
        throw Error(ErrorCode::engine_unsuitable,
                    {"latent records take no prior whose scales are learned; leave out --engine, or state a "
                     "prior by numbers"});
      }
      return infer_augmented(question, "asked for", options, conversation);
    case EngineChoice::moments:
      if (!moments_take(question)) {
        throw Error(ErrorCode::engine_unsuitable,
                    {"the engine of moments takes the releases of one dataset, with more records than "
                     "columns by two at least"});
      }
      return *infer_moments(question, "asked for", false, options, conversation);
    case EngineChoice::automatic:
      return infer_automatically(question, options, conversation);
    case EngineChoice::exact:
    case EngineChoice::tables:
    case EngineChoice::gibbs:
    case EngineChoice::map:
    case EngineChoice::bounds:
    case EngineChoice::potentials:
      break;
  }
  throw Error(
      ErrorCode::engine_unsuitable,
      {"a multivariate normal is inferred by its sums of products or by latent records: no other engine "
       "knows their law"});
}

}  // namespace postern::infer
