#include "truth.hpp"

#include <span>

#include "postern/model/kinds/markov_chain.hpp"

#include "network/truth.hpp"
#include "query/assumption.hpp"

namespace postern::infer {

std::vector<double> chain_truth(const std::string& text, const model::Study& study) {
  const auto& chain = study.model.get<model::MarkovChain>();
  const std::size_t states = chain.states;
  std::vector<double> cells((1 + states) * states, 1 / static_cast<double>(states));
  if (chain.idle) model::leave_out(std::span(cells).subspan(states * (1 + *chain.idle), states), *chain.idle);
  std::vector<double> out =
      rows_truth(text, study, std::move(cells), std::vector<std::size_t>(1 + states, states));
  if (chain.idle) {
    const std::size_t stay = states * (1 + *chain.idle) + *chain.idle;
    if (out[stay] > 0) refuse_value(study.model.kind().parameters(study)[stay].label, "0: it is left");
  }
  return out;
}

}  // namespace postern::infer
