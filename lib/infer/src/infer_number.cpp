#include "infer_number.hpp"

#include "postern/core/error.hpp"

#include "number_model.hpp"

namespace postern::infer {

Posterior infer_number(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                       const Conversation& /*conversation*/) {
  const NumberModel model = make_number_model(sets.front().front()->study, options);
  std::vector<NumberProblem> problems;
  for (const release::RecordSet& set : sets) problems.push_back(make_number_problem(model, set));
  throw Error(ErrorCode::engine_unsuitable, {"this version has no engine for families of numbers"});
}

}  // namespace postern::infer
