#include "problem.hpp"

#include "postern/core/error.hpp"
#include "postern/model/statistic/transitions.hpp"
#include "postern/model/study.hpp"
#include "postern/release/noise_law.hpp"

#include "posterior/named_total.hpp"

namespace postern::infer {
namespace {

/// The law of a block's noise in units of `parts` of its integers.
release::NoiseLaw coarse_law(const model::Noise& noise, double parts) {
  const release::NoiseShape shape = release::shape(release::noise_law(noise));
  if (shape.rate > 0) return release::Laplace(1 / (shape.rate * parts));
  return release::Gaussian(1 / (shape.precision * parts * parts));
}

/// Where a statistic's values belong.
struct Place {
  std::vector<std::vector<NoisyValue>>* cells = nullptr;
  double parts = 1;
};

Place place_of(const model::Statistic& statistic, ChainProblem& problem) {
  if (const auto* starts = statistic.as<model::Starts>())
    return {&problem.initial.families[0].noisy_values, static_cast<double>(starts->parts)};
  if (const auto* moves = statistic.as<model::Transitions>())
    return {&problem.transitions.families[1].noisy_values, static_cast<double>(moves->parts)};
  throw Error(ErrorCode::engine_unsuitable,
              {"this version infers Markov chains from tables of first states and of transitions, and this "
               "release holds something else"});
}

NetworkFamily family(std::vector<std::uint32_t> variables, std::size_t cells, double alpha) {
  return {std::move(variables), std::vector<double>(cells, alpha),
          std::vector<std::vector<NoisyValue>>(cells)};
}

}  // namespace

ChainProblem start_chain(const model::Study& study, const InferOptions& options) {
  const model::Model model =
      options.prior ? study.model.kind().with_prior(study.model, *options.prior) : study.model;
  const auto& chain = model.get<model::MarkovChain>();
  const double alpha = chain.alpha.get_d();
  if (!(alpha > 0)) throw Error(ErrorCode::bad_prior, {"every parameter of the prior must be positive"});
  const std::size_t states = chain.states;
  ChainProblem out;
  if (chain.learned) {
    // Of people there are first states and transitions: what tells how many there are is not cut.
    out.initial.learned = LearnedRows{options.prior_scale};
    out.initial.learned->cut_total = false;
    out.transitions.learned = out.initial.learned;
  }
  out.initial.sizes = {chain.states};
  out.initial.families.push_back(family({0}, states, alpha));
  out.transitions.sizes = {chain.states, chain.states};
  // How often each state is left: as strong as its row, so that no cell of the joint table is preferred.
  out.transitions.families.push_back(family({0}, states, alpha * static_cast<double>(states)));
  out.transitions.families.push_back(family({0, 1}, states * states, alpha));
  return out;
}

ChainProblem make_chain_problem(const release::RecordSet& releases, const InferOptions& options) {
  ChainProblem out = start_chain(releases.front()->study, options);
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& measured : release->blocks) {
      const Place place = place_of(measured.block.statistic, out);
      const release::NoiseLaw law = coarse_law(measured.block.noise, place.parts);
      for (std::size_t i = 0; i < measured.values.size(); ++i)
        (*place.cells)[i].push_back({static_cast<double>(measured.values[i]) / place.parts, law});
    }
  }
  out.initial.total = total_of(releases);
  out.transitions.total = out.initial.total;
  return out;
}

ChainProblem expected_chain_problem(const model::Study& study, const model::NoisePlan& plan, std::int64_t n) {
  ChainProblem out = start_chain(study, {});
  for (const model::Block& block : plan.measurement.blocks) {
    const Place place = place_of(block.statistic, out);
    const double each = static_cast<double>(n) / static_cast<double>(place.cells->size());
    for (std::vector<NoisyValue>& cell : *place.cells)
      cell.push_back({each, coarse_law(block.noise, place.parts)});
  }
  out.initial.total = LatentTotal{study.privacy.n_at_most.value_or(n), 0};
  out.transitions.total = out.initial.total;
  return out;
}

}  // namespace postern::infer
