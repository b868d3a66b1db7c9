#include "width.hpp"

#include <map>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/model/kinds/markov_chain.hpp"
#include "postern/model/sequences.hpp"

#include "posterior/width.hpp"

namespace postern::infer {
namespace {

/// The counts of all blocks of a release, as they are without noise, in transitions and people.
std::vector<double> exact_counts(const MadeUpStudy& made, const model::MarkovChain& chain) {
  std::vector<double> out;
  for (const release::MeasuredBlock& measured : made.release.blocks) {
    const model::Statistic& statistic = measured.block.statistic;
    const auto tally = statistic.kind().tally(statistic, made.release.study.schema);
    dynamic_cast<const model::SimulatedPeople&>(made.records)
        .for_each_person([&](std::span<const std::uint32_t> rows) {
          dynamic_cast<model::PeopleTally&>(*tally).add_person(rows);
        });
    for (const Int128 value : tally->values())
      out.push_back(static_cast<double>(value) / static_cast<double>(chain.parts));
  }
  return out;
}

}  // namespace

ChainWidths::ChainWidths(model::Study study) : study_(std::move(study)) {
  constexpr std::uint32_t kMostStates = 12;  // some seconds a posterior, and three at least are made
  if (study_.model.get<model::MarkovChain>().states > kMostStates)
    throw Error(ErrorCode::engine_limit, {"the widths of so large a chain are not simulated"});
}

std::vector<double> ChainWidths::widths_given(const std::vector<double>& counts) const {
  const auto& chain = study_.model.get<model::MarkovChain>();
  const std::size_t states = chain.states;
  const double alpha = chain.alpha.get_d();
  std::vector<double> out;
  std::map<std::pair<double, double>, double> known;
  for (std::size_t row = 0; row <= states; ++row) {
    const bool idle = chain.idle && row == 1 + *chain.idle;
    const auto in = [&](std::size_t cell) { return !idle || cell != *chain.idle; };
    double total = 0;
    for (std::size_t cell = 0; cell < states; ++cell)
      total += in(cell) ? alpha + counts[row * states + cell] : 0;
    for (std::size_t cell = 0; cell < states; ++cell) {
      const double a = alpha + counts[row * states + cell];
      double& width = known.try_emplace({a, total}, -1).first->second;
      if (width < 0)
        width = total > a ? beta_quantile(a, total - a, 0.95) - beta_quantile(a, total - a, 0.05) : 0;
      out.push_back(in(cell) ? width : 0);
    }
  }
  return out;
}

std::vector<PriorWidth> ChainWidths::rows() const {
  std::vector<PriorWidth> out;
  const std::vector<model::Parameter> parameters = study_.model.kind().parameters(study_);
  const std::vector<double> widths = widths_given(std::vector<double>(parameters.size(), 0));
  for (std::size_t q = 0; q < parameters.size(); ++q) out.push_back({parameters[q].label, widths[q]});
  return out;
}

StudyWidths ChainWidths::of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const {
  return {widths_given(exact_counts(made, study_.model.get<model::MarkovChain>())),
          posterior_widths(made, rng, stop)};
}

}  // namespace postern::infer
