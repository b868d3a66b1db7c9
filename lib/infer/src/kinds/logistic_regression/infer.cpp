#include "infer.hpp"

#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/chains/driver.hpp"

#include "chain.hpp"
#include "posterior/from_chains.hpp"
#include "posterior/start.hpp"

namespace postern::infer {

Posterior infer_logistic(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                         const Conversation& conversation) {
  if (sets.size() > 1) {
    throw Error(ErrorCode::unsupported,
                {"gradients from several datasets are not combined; infer from each dataset alone"});
  }
  if (options.engine != EngineChoice::automatic && options.engine != EngineChoice::gibbs) {
    throw Error(ErrorCode::engine_unsuitable,
                {"gradients are taken to be normal given the coefficients, and no other engine takes them"});
  }
  const model::Study& study = sets.front().front()->study;
  const LogisticProblem problem = make_logistic_problem(sets.front(), options);
  std::vector<std::string> names;
  std::vector<std::string> labels;
  for (model::Parameter& one : study.model.kind().parameters(study)) {
    names.push_back(std::move(one.name));
    labels.push_back(std::move(one.label));
  }
  Posterior out =
      start_posterior(std::move(names), std::move(labels), {{study.dataset, problem.total}}, options);
  const LogisticChain chain(problem, study);
  take_chains(
      out, run_chains(chain, driver_for(out, options), conversation), "gibbs",
      std::to_string(problem.gradients.size()) + " gradients of the same records, which are summed out",
      options);
  out.notes.emplace_back(
      "features are assumed to be independent, every level as likely as the others (covariates = "
      "\"uniform\"): "
      "where they are not, coefficients are biased");
  out.notes.emplace_back(
      "gradients are taken to be normal given the coefficients: for some hundred records and more");
  return out;
}

}  // namespace postern::infer
