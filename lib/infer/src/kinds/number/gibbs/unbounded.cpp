#include "postern/infer/kinds/number/gibbs/unbounded.hpp"

#include "postern/infer/kinds/number/gibbs/joint_number.hpp"
#include "postern/infer/kinds/number/gibbs/joint_squares.hpp"

namespace postern::infer {

ChainRun draw_joint_number(const std::vector<NumberProblem>& problems, const DriverOptions& options,
                           const Conversation& conversation) {
  if (problems.front().squares) return run_chains(JointSquares(problems), options, conversation);
  return run_chains(JointNumber(problems), options, conversation);
}

}  // namespace postern::infer
