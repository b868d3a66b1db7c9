#include "postern/infer/markov/estimate.hpp"

#include <utility>

#include "postern/core/error.hpp"

#include "markov/em.hpp"
#include "markov/law.hpp"
#include "markov/measurements.hpp"
#include "markov/mirror_descent.hpp"
#include "markov/na_map.hpp"
#include "markov/naive.hpp"
#include "markov/nlbp.hpp"
#include "markov/projection.hpp"

namespace postern::infer {

std::string_view markov_estimator_name(MarkovEstimator estimator) {
  switch (estimator) {
    case MarkovEstimator::na_map:
      return "na-map";
    case MarkovEstimator::naive:
      return "naive";
    case MarkovEstimator::em:
      return "em";
    case MarkovEstimator::nlbp:
      return "nlbp";
    case MarkovEstimator::l2:
      return "l2";
    case MarkovEstimator::l1:
      return "l1";
    case MarkovEstimator::pgm:
      return "pgm";
    case MarkovEstimator::uniform:
      return "uniform";
    case MarkovEstimator::random:
      return "random";
  }
  return "";
}

std::optional<MarkovEstimator> find_markov_estimator(std::string_view name) {
  for (const MarkovEstimator estimator : kMarkovEstimators) {
    if (markov_estimator_name(estimator) == name) return estimator;
  }
  return {};
}

std::string_view markov_stop_name(MarkovStop stop) {
  switch (stop) {
    case MarkovStop::closed_form:
      return "closed-form";
    case MarkovStop::certified:
      return "certified";
    case MarkovStop::discrepancy:
      return "discrepancy";
    case MarkovStop::radius:
      return "radius";
    case MarkovStop::iterations:
      return "iterations";
    case MarkovStop::precision:
      return "precision";
  }
  return "";
}

MarkovFit estimate_markov(const MarkovProblem& problem, MarkovEstimator estimator,
                          const MarkovOptions& options, const Conversation& conversation) {
  const markov::Measurements data(problem, options);
  // Without records or tables nothing is known but what cannot be.
  if (estimator == MarkovEstimator::uniform || data.total <= 0 || data.values.empty())
    return markov::Law(data, conversation).fit();
  switch (estimator) {
    case MarkovEstimator::na_map:
      return markov::na_map(data, options, conversation);
    case MarkovEstimator::naive:
      return markov::naive(data, options, conversation);
    case MarkovEstimator::em:
      return markov::em(data, markov::em_options(data, options), conversation);
    case MarkovEstimator::nlbp:
      return markov::nlbp(data, options, conversation);
    case MarkovEstimator::l2:
      return markov::project(data, markov::Distance::squared, options, conversation);
    case MarkovEstimator::l1:
      return markov::project(data, markov::Distance::absolute, options, conversation);
    case MarkovEstimator::pgm:
      return markov::mirror_descent(data, options, conversation);
    case MarkovEstimator::random:
      return markov::random(data, options, conversation);
    case MarkovEstimator::uniform:
      break;
  }
  throw Error(ErrorCode::internal, {"an estimator that is none"});
}

}  // namespace postern::infer
