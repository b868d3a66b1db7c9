#include "infer.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/kinds/number/augment/records.hpp"
#include "postern/infer/kinds/number/exact/posterior.hpp"
#include "postern/infer/kinds/number/gibbs/joint_squares.hpp"
#include "postern/infer/noise/published_values.hpp"

#include "contradiction.hpp"
#include "kinds/plug_in.hpp"
#include "latent_sum.hpp"
#include "model.hpp"
#include "noise_check/noise_watch.hpp"
#include "posterior/draw_summary.hpp"
#include "posterior/fill_draws.hpp"
#include "posterior/from_chains.hpp"
#include "posterior/start.hpp"

namespace postern::infer {
namespace {

/// What is inferred from: a problem for each dataset.
struct Question {
  const std::vector<release::RecordSet>& releases;
  NumberModel model;
  std::vector<NumberProblem> sets;
  std::vector<NamedTotal> totals;
};

bool has_bands(const Question& question) {
  return std::any_of(question.sets.begin(), question.sets.end(), [](const NumberProblem& set) {
    return any_band(set.sums) || any_band(set.square_sums) || any_band(set.mirrored_sums) ||
           any_band(set.counts) || any_band(set.inside_counts);
  });
}

std::string in_datasets(const Question& question) {
  return question.sets.size() == 1 ? "" : " in " + std::to_string(question.sets.size()) + " datasets";
}

bool counts_inside(const Question& question) {
  return std::any_of(question.sets.begin(), question.sets.end(),
                     [](const NumberProblem& set) { return !set.inside_counts.empty(); });
}

/// Engines that know the shape of the noise alone cannot take a band.
void refuse_bands(const Question& question, Piece engine) {
  if (!has_bands(question)) return;
  throw Error(ErrorCode::engine_unsuitable,
              {"the ", engine,
               " engine of numbers takes values to which noise was added and nothing else, and "
               "here values were rounded, clipped or held back"});
}

Posterior start(const Question& question, const InferOptions& options) {
  return start_posterior(question.model.names, question.model.labels, question.totals, options);
}

SummaryRow exact_row(SummaryRow row, double mean, double sd, const std::function<double(double)>& quantile) {
  row.mean = mean;
  row.sd = sd;
  row.q05 = quantile(0.05);
  row.q50 = quantile(0.50);
  row.q95 = quantile(0.95);
  return row;
}

/// Totals of every set (n, sum, squares, records inside) as the latent values of what was released.
void tell_latent(const Question& question, std::span<const double> totals, std::span<double> latent) {
  for (std::size_t s = 0; s < question.sets.size(); ++s) {
    const std::span<const double> own = totals.subspan(4 * s, 4);
    const std::size_t size = released_values(question.releases[s]);
    tell_totals(question.releases[s], question.sets[s], {own[0], own[1], own[2], own[3]}, latent.first(size));
    latent = latent.subspan(size);
  }
}

/// For chains, which tell the totals.
LatentWatch watch_totals(const Question& question, NoiseWatch& watch) {
  LatentWatch out = watch.for_chains();
  if (out.size == 0) return out;
  out.see = [&question, see = out.see, size = out.size](std::size_t chain, std::span<const double> totals) {
    std::vector<double> latent(size);
    tell_latent(question, totals, latent);
    see(chain, latent);
  };
  out.size = 4 * question.sets.size();
  return out;
}

Posterior infer_exact(const Question& question, const InferOptions& options,
                      const Conversation& conversation) {
  refuse_bands(question, "exact");
  Posterior out = start(question, options);
  out.engine = "exact";
  out.reason = "one parameter" + in_datasets(question) +
               "; the law of the encoded sum is summed against the noise, independent draws";
  const NumberPosterior posterior(question.sets, options.threads);
  conversation.report("drawing", 0.5);
  std::vector<std::size_t> latent;
  for (std::size_t s = 0; s < question.sets.size(); ++s) {
    if (std::holds_alternative<LatentTotal>(question.sets[s].total)) latent.push_back(s);
  }
  NoiseWatch watch(question.releases, out, options);
  const std::vector<LatentSum> sums(question.sets.begin(), question.sets.end());
  const auto draw = [&](Rng& rng, std::vector<double>& values, std::span<double> released) {
    thread_local std::vector<std::int64_t> totals;
    totals.resize(question.sets.size());
    values.front() = posterior.draw(totals, rng);
    for (std::size_t i = 0; i < latent.size(); ++i) values[i + 1] = static_cast<double>(totals[latent[i]]);
    if (released.empty()) return;
    std::vector<double> all;
    Rng own = rng;
    for (std::size_t s = 0; s < sums.size(); ++s) {
      const Totals one = sums[s].draw({values.front(), 0}, static_cast<double>(totals[s]), own);
      all.insert(all.end(), {one.n, one.sum, one.squares, one.inside});
    }
    tell_latent(question, all, released);
  };
  fill_draws(out, options, conversation, watch, draw);
  out.log_evidence = posterior.log_evidence();
  if (!options.summarise) return out;
  out.summary.push_back(exact_row(summary_row(out, 0), posterior.mean(), posterior.sd(),
                                  [&](double p) { return posterior.quantile(p); }));
  for (std::size_t i = 0; i < latent.size(); ++i) {
    const auto [mean, sd] = posterior.total(latent[i]);
    out.summary.push_back(exact_row(summary_row(out, i + 1), mean, sd,
                                    [&](double p) { return posterior.total_quantile(p, latent[i]); }));
  }
  return out;
}

/// The draws of a chain engine as a posterior.
template <class Run>
Posterior infer_by_chains(const Question& question, const char* engine, const std::string& why,
                          const InferOptions& options, const Run& run_engine) {
  Posterior out = start(question, options);
  NoiseWatch watch(question.releases, out, options);
  DriverOptions driver = driver_for(out, options, engine);
  driver.latents = watch_totals(question, watch);
  take_chains(out, run_engine(driver), engine, why, options);
  watch.tell(out);
  return out;
}

Posterior infer_augmented(const Question& question, const std::string& why, const InferOptions& options,
                          const Conversation& conversation) {
  return infer_by_chains(question, "augment", why, options, [&](const DriverOptions& driver) {
    RecordsForecast all;
    for (const NumberProblem& set : question.sets) {
      const RecordsForecast one = forecast_records(set, driver);
      all = {all.records + one.records, all.bytes + one.bytes};
    }
    refuse_too_large(all, options);
    return draw_augmented_number(question.sets, driver, conversation);
  });
}

/// By the draw, of a few of each chain, at which a set's sums are least unexpected.
void refuse_contradiction(const Question& question, const Posterior& out) {
  constexpr std::size_t kFew = 3;
  const std::size_t parameters = question.model.names.size();
  std::size_t latent = parameters;
  for (const NumberProblem& set : question.sets) {
    const auto* known = std::get_if<KnownTotal>(&set.total);
    double least = HUGE_VAL;
    for (const std::vector<double>& chain : out.draws) {
      for (std::size_t k = 1; k <= kFew; ++k) {
        const auto draw = [&](std::size_t quantity) {
          return chain[quantity * out.iterations + out.iterations * k / kFew - 1];
        };
        model::Theta theta{};
        for (std::size_t p = 0; p < parameters; ++p) theta[p] = draw(p);
        least = std::min(least, deviations(set, theta, known ? static_cast<double>(known->n) : draw(latent)));
      }
    }
    refuse_unlikely(least);
    if (known == nullptr) ++latent;
  }
}

Posterior infer_gibbs(const Question& question, const std::string& why, const InferOptions& options,
                      const Conversation& conversation) {
  refuse_bands(question, "gibbs");
  if (counts_inside(question)) {
    throw Error(ErrorCode::engine_unsuitable,
                {"the gibbs engine knows sums, and here the records inside are counted as well"});
  }
  if (!question.sets.front().squares)
    throw Error(ErrorCode::engine_unsuitable,
                {"the gibbs engine of numbers is for a mean and a variance, and here is one parameter"});
  for (const NumberProblem& set : question.sets) refuse_impossible(set);
  Posterior out = infer_by_chains(question, "gibbs", why, options, [&](const DriverOptions& driver) {
    return draw_joint_squares(question.sets, driver, conversation);
  });
  if (out.iterations >= 3) refuse_contradiction(question, out);
  out.notes.emplace_back(
      "gibbs takes the sums to be normal given the parameters: for some hundred records and more");
  return out;
}

Posterior infer_naive(const Question& question, const InferOptions& options,
                      const Conversation& conversation) {
  Posterior out = start(question, options);
  const NumberModel& model = question.model;
  model::Hyper after = model.prior;
  std::vector<double> latent;
  for (const NumberProblem& problem : question.sets) {
    const model::Sums sums = plug_in(problem);
    after = model.law->update(after, sums);
    if (std::holds_alternative<LatentTotal>(problem.total)) latent.push_back(sums.n);
  }
  out.engine = "naive";
  out.reason = "asked for; it takes the noisy sums for the truth, and clamped records for whole ones";
  out.warnings.push_back(naive_warning());
  fill_draws(out, options, conversation, [&](Rng& rng, std::vector<double>& values) {
    const model::Theta theta = model.law->draw_theta(after, rng);
    std::copy_n(theta.begin(), model.names.size(), values.begin());
    std::copy(latent.begin(), latent.end(), values.end() - static_cast<std::ptrdiff_t>(latent.size()));
  });
  for (std::size_t q = 0; options.summarise && q < out.names.size(); ++q)
    out.summary.push_back(summarise_draws(out, q, DrawKind::independent));
  return out;
}

/// Exact where there is one parameter. Latent records are exact as well and their cost grows with n; beyond
/// some thousands the normal approximation is as good.
Posterior infer_automatically(const Question& question, const InferOptions& options,
                              const Conversation& conversation) {
  constexpr double kManyRecords = 3000;
  const bool inside = counts_inside(question);
  if (has_bands(question))
    return infer_augmented(question, "values that were rounded, clipped or held back", options, conversation);
  if (!question.sets.front().squares && !inside) return infer_exact(question, options, conversation);
  const std::string what = (inside ? "records inside are counted" : "two parameters") + in_datasets(question);
  if (inside) return infer_augmented(question, what, options, conversation);
  double records = 0;
  for (const NumberProblem& set : question.sets) records += plug_in(set).n;
  if (records <= kManyRecords)
    return infer_augmented(question, what + ", few records", options, conversation);
  return infer_gibbs(question, what + ", many records", options, conversation);
}

/// By the engine of the options.
Posterior infer_by_choice(const Question& question, const InferOptions& options,
                          const Conversation& conversation) {
  switch (options.engine) {
    case EngineChoice::naive:
      return infer_naive(question, options, conversation);
    case EngineChoice::exact:
      return infer_exact(question, options, conversation);
    case EngineChoice::augment:
      return infer_augmented(question, "asked for", options, conversation);
    case EngineChoice::gibbs:
      return infer_gibbs(question, "asked for", options, conversation);
    case EngineChoice::automatic:
    case EngineChoice::map:
    case EngineChoice::bounds:
    case EngineChoice::potentials:
    case EngineChoice::tables:  // refused before
    case EngineChoice::moments:
      break;
  }
  return infer_automatically(question, options, conversation);
}

/// A mean under a normal law is read as that of the records, which it need not be.
void note_whose_mean(Posterior& out, const NumberModel& model) {
  if (model.law->space(0) != model::ParameterSpace::real) return;
  out.notes.push_back(
      "'" + model.labels.front() +
      "' is the mean of the normal law that was fitted, not of the records: they differ where "
      "the column is skewed or many of its records are clamped");
}

}  // namespace

Posterior infer_number(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                       const Conversation& conversation) {
  Question question{sets, make_number_model(sets.front().front()->study, options), {}, {}};
  for (const release::RecordSet& set : sets) {
    question.sets.push_back(make_number_problem(question.model, set));
    question.totals.push_back({set.front()->study.dataset, question.sets.back().total});
  }
  Posterior out = infer_by_choice(question, options, conversation);
  note_whose_mean(out, question.model);
  return out;
}

}  // namespace postern::infer
