#include "postern/infer/gibbs/unbounded.hpp"

#include "postern/infer/gibbs/joint_number.hpp"
#include "postern/infer/gibbs/joint_squares.hpp"

namespace postern::infer {

ChainRun draw_joint_number(const NumberProblem& problem, const DriverOptions& options,
                           const Conversation& conversation) {
  if (problem.squares) return run_chains(JointSquares(problem), options, conversation);
  return run_chains(JointNumber(problem), options, conversation);
}

}  // namespace postern::infer
