#include "postern/assess/calibrate.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <mutex>

#include "postern/assess/coverage.hpp"
#include "postern/assess/simulate.hpp"
#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/kind.hpp"
#include "postern/infer/round_fit.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/planning_law.hpp"
#include "postern/model/statistic/grid_split.hpp"

#include "chosen_model.hpp"

namespace postern::assess {
namespace {

double ks_limit_of(std::size_t studies) { return 2.70 / std::sqrt(static_cast<double>(studies)); }

/// The share that intervals which hold 85 % of the truths hold by chance once in a million times.
double least_coverage_of(std::size_t studies) {
  constexpr double kAsked = 0.85;
  constexpr double kOnceInAMillion = 4.75;
  return kAsked - kOnceInAMillion * std::sqrt(kAsked * (1 - kAsked) / static_cast<double>(studies));
}

constexpr std::size_t kMostRanked = 44;  ///< as many as a multivariate normal of eight columns has

/// Randomised rank of the truth among the draws; ties (n is discrete) are broken at random.
double rank_of(double truth, const double* draws, std::size_t count, Rng& rng) {
  double below = 0;
  double equal = 0;
  for (std::size_t i = 0; i < count; ++i) {
    below += draws[i] < truth ? 1 : 0;
    equal += draws[i] == truth ? 1 : 0;
  }
  return (below + rng.uniform() * (equal + 1)) / (static_cast<double>(count) + 1);
}

/// Is the posterior asked for n?
bool ranks_total(const model::Study& study) {
  return study.privacy.adjacency == model::Adjacency::add_remove && infer::kind_of(study.model).tells_total();
}

infer::Posterior answer(const SimulatedStudy& made, const CalibrateOptions& options,
                        const std::stop_token& stop, Rng& rng) {
  infer::InferOptions inference;
  inference.engine = options.engine;
  inference.chains = 1;
  inference.draws = options.draws;
  inference.seed = rng();
  inference.threads = 1;
  inference.summarise = false;
  inference.check_noise = false;
  return infer::infer({&made.release, 1}, inference, {stop, {}});
}

/// Where the truth lies among the draws of a quantity of the posterior.
double rank_of(double truth, const infer::Posterior& posterior, std::size_t quantity, Rng& rng) {
  return rank_of(truth, posterior.draws[0].data() + quantity * posterior.iterations, posterior.iterations,
                 rng);
}

double rank_of_n(const SimulatedStudy& made, const infer::Posterior& posterior, Rng& rng) {
  const auto found = std::find(posterior.names.begin(), posterior.names.end(), "n");
  if (found == posterior.names.end())
    throw Error(ErrorCode::internal, {"a posterior of private n does not tell n"});
  return rank_of(static_cast<double>(made.n), posterior,
                 static_cast<std::size_t>(found - posterior.names.begin()), rng);
}

/// Of one simulated study: ranks of the first quantities, in order, and of n where it is private.
struct RanksOfOne {
  std::vector<double> ranks;
  std::vector<std::string> cut;
};
RanksOfOne run_one(const model::Study& study, const model::NoisePlan& plan, const CalibrateOptions& options,
                   std::size_t quantities, std::size_t index, const std::stop_token& stop) {
  Rng rng(options.seed, static_cast<std::uint32_t>(index), Purpose::calibration);
  RanksOfOne out;
  std::vector<double>& ranks = out.ranks;
  const bool hidden = ranks_total(study);
  if (chooses(study, plan) != nullptr) {
    const ChosenStudy chosen = simulate_chosen(study, plan, options.n, rng);
    infer::Posterior posterior = answer(chosen.made, options, stop, rng);
    const std::vector<TruthAndDraws> all = chosen_draws(chosen, posterior);
    for (std::size_t q = 0; q < quantities; ++q)
      ranks.push_back(rank_of(all[q].truth, all[q].draws.data(), all[q].draws.size(), rng));
    if (hidden) ranks.push_back(rank_of_n(chosen.made, posterior, rng));
    out.cut = std::move(posterior.cut);
    return out;
  }
  const SimulatedStudy made = simulate_study(study, plan, options.n, rng, infer::round_fit(study));
  infer::Posterior posterior = answer(made, options, stop, rng);
  for (std::size_t q = 0; q < quantities; ++q) ranks.push_back(rank_of(made.theta()[q], posterior, q, rng));
  if (hidden) ranks.push_back(rank_of_n(made, posterior, rng));
  out.cut = std::move(posterior.cut);
  return out;
}

QuantityCalibration assess(model::Parameter quantity, std::vector<double> ranks, bool by_coverage) {
  QuantityCalibration out;
  out.by_coverage = by_coverage;
  out.name = std::move(quantity.name);
  out.label = std::move(quantity.label);
  const RankSummary summary = summarise_ranks(ranks);
  out.ks = summary.ks;
  out.coverage_50 = summary.coverage[0].share();
  out.coverage_90 = summary.coverage[1].share();
  out.coverage_95 = summary.coverage[2].share();
  out.histogram = rank_histogram(ranks);
  out.ranks = std::move(ranks);
  return out;
}

void check_options(const model::Study& study, const model::NoisePlan& plan, const CalibrateOptions& options) {
  if (model::planned_grid(plan.measurement, study.schema, study.privacy)) {
    throw Error(ErrorCode::unsupported,
                {"a release by ", from_study(to_text(plan.request.mechanism)),
                 " is not calibrated: its choices are not drawn in simulations yet; plan tables (laplace, "
                 "gaussian)"});
  }
  if (options.engine == infer::EngineChoice::map)
    throw Error(ErrorCode::bad_option,
                {"map gives a point, which has no interval to be right or wrong; calibrate another engine"});
  if (options.studies < 1 || options.draws < 1)
    throw Error(ErrorCode::usage, {"calibration needs at least one study and one draw"});
  const bool hidden = study.privacy.adjacency == model::Adjacency::add_remove;
  if (!hidden && !options.n)
    throw Error(ErrorCode::usage, {"n is public in this study; say how many records with --n"});
  if (hidden && options.n) {
    throw Error(
        ErrorCode::bad_option,
        {"n is private in this study, and the posterior takes it to be uniform on 0..",
         public_number(*study.privacy.n_at_most),
         "; a calibration draws it from there, so leave n out (a smaller n.at_most tries smaller n)"});
  }
}

std::string coverage_verdict(bool passed, std::size_t studies) {
  if (!passed)
    return "Not calibrated: did 90 % intervals hold 85 % of the truths, so few held would be seen once in a "
           "million times.";
  char least[16];
  (void)std::snprintf(least, sizeof least, "%.2g", 100 * least_coverage_of(studies));
  return "No interval is far too narrow, as far as " + std::to_string(studies) +
         " studies can see: every 90 % interval held at least " + least +
         " % of the truths. Four times the studies see half of a fault.";
}

/// Why ranks need not be uniform, and what is judged instead.
std::string uneven_note(const Calibration& found) {
  std::string text = "ranks need not be uniform, and the 90 % intervals alone are judged: truths come from " +
                     found.truths + ", and the posterior's prior is learned";
  for (std::size_t i = 0; i < found.cut.size(); ++i)
    text += (i == 0 ? "; cut, that is taken from coarse facts alone: " : ", ") + found.cut[i];
  return text;
}

}  // namespace

bool QuantityCalibration::calibrated() const {
  if (by_coverage) return coverage_90 >= least_coverage_of(ranks.size());
  constexpr std::size_t kForBins = 100;
  return ks < ks_limit_of(ranks.size()) &&
         (ranks.size() < kForBins || histogram.chi_square_tail > kCalibrationAlpha);
}

double Calibration::ks_limit() const { return ks_limit_of(studies); }

bool Calibration::passed() const {
  return std::all_of(quantities.begin(), quantities.end(), [](const auto& q) { return q.calibrated(); });
}

bool Calibration::ranks_are_even() const { return truths == "the prior" && cut.empty(); }

std::string Calibration::verdict() const {
  if (!ranks_are_even()) return coverage_verdict(passed(), studies);
  if (!passed() && caveats > 0)
    return "Not calibrated for the studies that were simulated, and these are not quite what the posterior "
           "takes them for: the note tells in what. Where noise leaves much open that alone makes ranks "
           "uneven; calibrate with a larger budget, at which it does not matter, to tell it from a fault.";
  if (!passed())
    return "Not calibrated: were the intervals right, ranks like these would be seen once in a million "
           "times.";
  char distance[16];
  (void)std::snprintf(distance, sizeof distance, "%.2g", ks_limit());
  return "Calibrated, as far as " + std::to_string(studies) +
         " studies can see: at alpha 1e-6 they see ranks that are off by a KS distance of " + distance +
         " or more, which is a probability misstated by that much. Smaller faults may be there; four times "
         "the studies see half of it.";
}

Calibration calibrate(const model::Study& study, const model::NoisePlan& plan,
                      const CalibrateOptions& options, const Conversation& conversation) {
  check_options(study, plan, options);
  const bool chosen = chooses(study, plan) != nullptr;
  std::vector<model::Parameter> watched =
      chosen ? chosen_quantities(study) : study.model.kind().parameters(study);
  const std::size_t all = watched.size();
  if (all > kMostRanked) watched.resize(kMostRanked);
  const std::size_t parameters = watched.size();
  if (ranks_total(study)) watched.push_back({"n", "number of records"});
  std::vector<std::vector<double>> ranks(watched.size(), std::vector<double>(options.studies));
  Calibration out;
  std::atomic<std::size_t> done = 0;
  std::mutex talking;
  parallel_for(options.studies, options.threads, [&](std::size_t i) {
    conversation.check();
    RanksOfOne of_one = run_one(study, plan, options, parameters, i, conversation.stop);
    for (std::size_t q = 0; q < of_one.ranks.size(); ++q) ranks[q][i] = of_one.ranks[q];
    if (i == 0) out.cut = std::move(of_one.cut);
    const std::size_t finished = ++done;
    const std::lock_guard lock(talking);
    conversation.report("calibrating", static_cast<double>(finished) / static_cast<double>(options.studies));
  });
  out.studies = options.studies;
  out.truths = model::truths_text(study.model);
  out.notes = study.model.kind().notes(study.model);
  out.caveats = out.notes.size();
  if (chosen) {
    out.notes.emplace_back(
        "the truth is a tree, any as likely as any other, and the posterior is that of the tree that was "
        "chosen: "
        "ranks tell what it costs to take that as given, for these probabilities. Those of columns that were "
        "not chosen together are not ranked");
  }
  if (all > parameters) {
    out.notes.push_back("of " + std::to_string(all) + " parameters the first " + std::to_string(parameters) +
                        " were ranked");
  }
  if (!out.ranks_are_even()) out.notes.push_back(uneven_note(out));
  for (std::size_t q = 0; q < watched.size(); ++q)
    out.quantities.push_back(assess(std::move(watched[q]), std::move(ranks[q]), !out.ranks_are_even()));
  return out;
}

}  // namespace postern::assess
