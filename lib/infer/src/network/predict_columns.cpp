#include "network/predict_columns.hpp"

#include <utility>

#include "postern/infer/network/star_posterior.hpp"
#include "postern/model/kinds/bayes_net.hpp"

#include "network/make_problem.hpp"
#include "network/predict.hpp"

namespace postern::infer {
namespace {

NetworkStructure shape_of(const model::Study& study) {
  const auto& net = study.model.get<model::BayesNet>();
  NetworkStructure out{model::dag_of(net), {}, {}};
  for (const model::BayesNode& node : net.nodes) {
    out.sizes.push_back(study.schema.at(node.column).levels());
    out.names.push_back(node.column);
  }
  return out;
}

}  // namespace

std::unique_ptr<const Predictor> predict_columns(const model::Study& study, const Basis& basis,
                                                 std::size_t target) {
  std::unique_ptr<const StarPosterior> exact;
  if (basis.posterior.engine == "exact" && basis.sets.size() == 1) {
    const NetworkProblem problem = make_network_problem(study, basis.sets.front(), basis.options);
    if (StarPosterior::fits(problem))
      exact =
          std::make_unique<const StarPosterior>(problem, basis.options.memory_limit, basis.options.threads);
  }
  return network_predictor(shape_of(study), probability_draws(basis, basis.options.draws), target,
                           std::move(exact));
}

std::unique_ptr<const RecordSampler> network_records(const model::Study& study) {
  return network_record_sampler(shape_of(study));
}

}  // namespace postern::infer
