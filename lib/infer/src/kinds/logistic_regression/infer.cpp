#include "infer.hpp"

#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/model/statistic/table.hpp"

#include "chain.hpp"
#include "latent.hpp"
#include "noise_check/noise_watch.hpp"
#include "posterior/from_chains.hpp"
#include "posterior/start.hpp"

namespace postern::infer {
namespace {

/// What is assumed of the features, for those who read the answer.
std::string assumption(const model::LogisticRegression& model) {
  if (!model.covariates.rows.empty()) {
    return std::to_string(model.covariates.rows.size() / model.features.size()) +
           " public rows stand for the features (covariates_from), and the error that so many leave is "
           "accounted for: where the records differ from them, coefficients are biased";
  }
  const bool uniform = model.covariates.laws.empty();
  return std::string("features are assumed to be independent, ") +
         (uniform ? "every level as likely as the others (covariates = \"uniform\")"
                  : "of the laws that the study states (covariates)") +
         ": where they are not, coefficients are biased";
}

/// Where an engine on latent records cannot be, the reason.
void check_latent(const LogisticProblem& problem) {
  constexpr std::int64_t kMostRecords = 100'000;
  const auto* known = std::get_if<KnownTotal>(&problem.total);
  if (known == nullptr || problem.sampled) {
    throw Error(
        ErrorCode::engine_unsuitable,
        {"the engine `augment` follows every record, and needs their number public and the law of the "
         "features stated (not by public rows)"});
  }
  if (known->n > kMostRecords) {
    throw Error(ErrorCode::engine_limit, {"the engine `augment` follows every record, up to ",
                                          public_number(kMostRecords), " of them; take --engine gibbs"});
  }
}

/// Are records followed one by one? Where they are few, their gradients are not normal.
bool follows_records(const LogisticProblem& problem, EngineChoice engine) {
  constexpr std::int64_t kFew = 200;
  if (engine == EngineChoice::augment) check_latent(problem);
  const auto* known = std::get_if<KnownTotal>(&problem.total);
  const bool few = known != nullptr && known->n <= kFew && !problem.sampled;
  return engine == EngineChoice::augment || (engine == EngineChoice::automatic && few);
}

/// Engines tell what is behind gradients, one after the other, then behind counts; in releases they are
/// mixed.
LatentWatch watch_gradients(const release::RecordSet& releases, const LogisticProblem& problem,
                            NoiseWatch& watch) {
  LatentWatch out = watch.for_chains();
  if (out.size == 0) return out;
  std::size_t gradient = 0;
  std::size_t count = problem.gradients.size() * problem.size;
  std::vector<std::size_t> places;
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& block : release->blocks) {
      const bool counts = block.block.statistic.as<model::RecordCount>() != nullptr;
      for (std::size_t i = 0; i < block.values.size(); ++i) places.push_back(counts ? count++ : gradient++);
    }
  }
  out.see = [places, see = out.see](std::size_t chain, std::span<const double> told) {
    std::vector<double> latent;
    for (const std::size_t place : places) latent.push_back(told[place]);
    see(chain, latent);
  };
  return out;
}

}  // namespace

Posterior infer_logistic(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                         const Conversation& conversation) {
  if (sets.size() > 1) {
    throw Error(ErrorCode::unsupported,
                {"gradients from several datasets are not combined; infer from each dataset alone"});
  }
  if (options.engine != EngineChoice::automatic && options.engine != EngineChoice::gibbs &&
      options.engine != EngineChoice::augment) {
    throw Error(
        ErrorCode::engine_unsuitable,
        {"gradients are not noisy counts, and have engines of their own: `gibbs`, which takes them to be "
         "normal given the coefficients, and `augment`, which follows every record"});
  }
  const model::Study& study = sets.front().front()->study;
  const LogisticProblem problem = make_logistic_problem(sets.front(), options);
  Posterior out = start_posterior(study, {{study.dataset, problem.total}}, options);
  const std::string gradients = std::to_string(problem.gradients.size()) + " gradients of the same records, ";
  const bool latent = follows_records(problem, options.engine);
  NoiseWatch watch({sets.front()}, out, options);
  DriverOptions driver = driver_for(out, options, latent ? "augment" : "gibbs");
  driver.latents = watch_gradients(sets.front(), problem, watch);
  if (latent) {
    const LatentRecordsChain chain(problem, study);
    take_chains(out, run_chains(chain, driver, conversation), "augment",
                gradients + "which are latent: none is taken to be normal", options);
  } else {
    const LogisticChain chain(problem, study);
    take_chains(out, run_chains(chain, driver, conversation), "gibbs", gradients + "which are summed out",
                options);
  }
  watch.tell(out);
  out.notes.push_back(assumption(study.model.get<model::LogisticRegression>()));
  if (!latent) {
    out.notes.emplace_back(
        "gradients are taken to be normal given the coefficients: for some hundred records and more");
  }
  return out;
}

}  // namespace postern::infer
