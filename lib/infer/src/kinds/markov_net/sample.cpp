#include "sample.hpp"

#include <utility>

#include "postern/core/error.hpp"
#include "postern/model/kinds/markov_net.hpp"
#include "postern/model/study.hpp"

#include "mode.hpp"
#include "noise_check/noise_watch.hpp"
#include "posterior/from_chains.hpp"
#include "posterior/start.hpp"
#include "problem.hpp"

namespace postern::infer {

using model::MarkovNet;

bool draws_fit(const MarkovNet& net, const InferOptions& options) {
  const double draws = static_cast<double>(options.chains) * static_cast<double>(options.draws);
  return 8 * draws * model::junction_tree(net).cells() <= static_cast<double>(options.memory_limit);
}

Posterior infer_potentials(const std::vector<release::RecordSet>& sets, MarkovSampler sampler,
                           const std::string& why, const InferOptions& options,
                           const Conversation& conversation) {
  refuse_several_datasets(sets);
  const model::Study& study = sets.front().front()->study;
  const auto& net = study.model.get<MarkovNet>();
  MarkovProblem problem = markov_problem(net, sets.front());
  refuse_impossible(problem);
  add_public_rows(problem, net, options);
  std::vector<std::string> names;
  std::vector<std::string> labels;
  for (model::Parameter& one : study.model.kind().parameters(study)) {
    names.push_back(std::move(one.name));
    labels.push_back(std::move(one.label));
  }
  Posterior out =
      start_posterior(std::move(names), std::move(labels), {{study.dataset, problem.total}}, options);
  MarkovPosteriorOptions how;
  how.names = net.columns;
  how.prior_variance = declared_variance(net, options);
  how.most_bytes = static_cast<double>(options.memory_limit);
  const char* engine = sampler == MarkovSampler::tables ? "tables" : "potentials";
  NoiseWatch watch({sets.front()}, out, options);
  DriverOptions driver = driver_for(out, options, engine);
  driver.latents = watch.for_chains();
  ChainRun run = draw_markov_posterior(problem, sampler, markov_report(net), how, driver, conversation);
  watch.tell(out);
  const double scale = least_noise_scale(problem);
  if (sampler == MarkovSampler::potentials && scale < kLargeNoise)
    out.warnings.push_back({"engine-approximate",
                            "potentials takes sampling errors as normal, which is right where the noise of "
                            "every table has a scale "
                            "of 10 or more; here one has less: take --engine tables, or auto"});
  take_chains(out, std::move(run), engine, why, options);
  return out;
}

Posterior infer_markov_automatically(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                     const Conversation& conversation) {
  const auto& net = sets.front().front()->study.model.get<MarkovNet>();
  const std::string why =
      model::is_decomposable(net) ? "a normal prior of potentials" : "a network that is not decomposable";
  // Before any work, since then the mode is left, or a refusal that names the largest cliques.
  if (!draws_fit(net, options))
    return infer_mode(sets, why + ", too many parameters for chains", options, conversation);
  const MarkovProblem problem = markov_problem(net, sets.front());
  refuse_impossible(problem);
  try {
    if (least_noise_scale(problem) < kLargeNoise)
      return infer_potentials(sets, MarkovSampler::tables, why + ", little noise", options, conversation);
    return infer_potentials(sets, MarkovSampler::potentials, why, options, conversation);
  } catch (const Error& refusal) {
    if (refusal.code() != ErrorCode::engine_limit) throw;
    return infer_mode(sets, why + ", too many potentials for chains", options, conversation);
  }
}

}  // namespace postern::infer
