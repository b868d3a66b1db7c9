#include "draws.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/infer/network/plug_in.hpp"
#include "postern/infer/network/star_posterior.hpp"
#include "postern/infer/network/tables_chain.hpp"

#include "kinds/plug_in.hpp"
#include "posterior/draw_summary.hpp"
#include "posterior/fill_draws.hpp"
#include "posterior/from_chains.hpp"
#include "posterior/stream_key.hpp"

namespace postern::infer {
namespace {

class Assembly {
 public:
  Assembly(Posterior& out, std::size_t states, std::optional<std::uint32_t> idle)
      : out_(out), states_(states), idle_(idle) {}

  void exact(const ChainProblem& problem, ChainWatch& watch, const InferOptions& options,
             const Conversation& conversation) {
    const StarPosterior initial(problem.initial, options.memory_limit, options.threads);
    const StarPosterior moves(problem.transitions, options.memory_limit, options.threads);
    conversation.report("drawing", 0.5);
    fill_draws_of_chains(out_, options, conversation,
                         [&](Rng& rng, std::vector<double>& values, std::size_t chain, std::size_t i) {
                           std::vector<double> theta(moves.cells());
                           std::vector<double> starts(watch.wants(i) ? states_ : 0);
                           std::vector<double> counts(watch.wants(i) ? moves.cells() : 0);
                           (void)initial.draw(std::span(values).first(states_), rng, starts);
                           (void)moves.draw(theta, rng, counts);
                           if (!counts.empty()) watch.see(chain, starts, counts);
                           std::copy(theta.begin() + static_cast<std::ptrdiff_t>(states_), theta.end(),
                                     values.begin() + static_cast<std::ptrdiff_t>(states_));
                           if (idle_)
                             model::leave_out(std::span(values).subspan(states_ * (1 + *idle_), states_),
                                              *idle_);
                         });
    if (!options.summarise) return;
    for (std::size_t q = 0; q < out_.names.size(); ++q) {
      SummaryRow& row = out_.summary.emplace_back(summarise_draws(out_, q, DrawKind::independent));
      if (idle_ && q / states_ == 1 + *idle_) continue;
      const StarPosterior& from = q < states_ ? initial : moves;
      row.mean = from.mean(q);  // the first cells of `moves` are those of the state that is left
      row.sd = from.sd(q);
    }
  }

  /// Draws of both networks, of chains or of the plug-in baseline.
  void take(const ChainRun& initial, const ChainRun& moves, DrawKind kind, bool summarise) {
    out_.draws.assign(out_.chains, {});
    const auto size = static_cast<std::ptrdiff_t>(states_ * out_.iterations);
    for (std::size_t c = 0; c < out_.chains; ++c) {
      std::vector<double>& draws = out_.draws[c];
      draws.assign(initial.draws[c].begin(), initial.draws[c].begin() + size);
      draws.insert(draws.end(), moves.draws[c].begin() + size,
                   moves.draws[c].begin() + size + size * static_cast<std::ptrdiff_t>(states_));
      if (idle_) leave_out_everywhere(draws);
    }
    for (std::size_t q = 0; summarise && q < out_.names.size(); ++q)
      out_.summary.push_back(summarise_draws(out_, q, never_moves(q) ? DrawKind::independent : kind));
  }

 private:
  [[nodiscard]] bool never_moves(std::size_t q) const {
    return idle_ && q == states_ * (1 + std::size_t{*idle_}) + *idle_;
  }
  void leave_out_everywhere(std::vector<double>& draws) const {
    const std::size_t first = states_ * (1 + std::size_t{*idle_});
    std::vector<double> row(states_);
    for (std::size_t i = 0; i < out_.iterations; ++i) {
      for (std::size_t to = 0; to < states_; ++to) row[to] = draws[(first + to) * out_.iterations + i];
      model::leave_out(row, *idle_);
      for (std::size_t to = 0; to < states_; ++to) draws[(first + to) * out_.iterations + i] = row[to];
    }
  }

  Posterior& out_;
  std::size_t states_;
  std::optional<std::uint32_t> idle_;
};

void use_tables(Assembly& assembly, Posterior& out, const ChainProblem& problem, ChainWatch& watch,
                const InferOptions& options, const Conversation& conversation) {
  DriverOptions driver = driver_for(out, options, "tables");
  driver.latents = watch.of_initial();
  const ChainRun initial = draw_network_tables(problem.initial, driver, conversation);
  driver.seed = stream_key(driver.seed, "moves");
  driver.latents = watch.of_moves();
  const ChainRun moves = draw_network_tables(problem.transitions, driver, conversation);
  assembly.take(initial, moves, DrawKind::markov, options.summarise);
  out.engine = "tables";
  out.warnings = convergence_warnings(out.summary);
}

void use_plug_in(Assembly& assembly, Posterior& out, const ChainProblem& problem, const InferOptions& options,
                 const Conversation& conversation) {
  DriverOptions driver = driver_for(out, options, "naive");
  const ChainRun initial = draw_network_plug_in(problem.initial, driver, conversation);
  driver.seed = stream_key(driver.seed, "moves");
  const ChainRun moves = draw_network_plug_in(problem.transitions, driver, conversation);
  assembly.take(initial, moves, DrawKind::independent, options.summarise);
  out.engine = "naive";
  out.reason = "asked for; it takes the noisy counts for the truth";
  out.warnings.push_back(naive_warning());
}

}  // namespace

void draw_chain(Posterior& out, const ChainProblem& problem, std::optional<std::uint32_t> idle,
                ChainWatch& watch, const InferOptions& options, const Conversation& conversation) {
  Assembly assembly(out, problem.initial.sizes[0], idle);
  const bool learned = problem.transitions.learned.has_value();
  const bool fits = !learned && StarPosterior::forecast(problem.transitions).bytes <=
                                    static_cast<double>(options.memory_limit);
  if (options.engine == EngineChoice::naive) {
    use_plug_in(assembly, out, problem, options, conversation);
  } else if (options.engine == EngineChoice::tables || (options.engine == EngineChoice::automatic && !fits)) {
    use_tables(assembly, out, problem, watch, options, conversation);
    if (learned)
      out.notes.emplace_back(
          "the prior is learned: the rows of the matrix lie around a centre of their own, each as closely as "
          "the release says");
    out.reason = options.engine == EngineChoice::tables ? "asked for"
                 : learned                              ? "the scale of the prior is learned"
                           : "the exact engine would need more memory than it may";
  } else if (learned) {
    throw Error(ErrorCode::engine_unsuitable,
                {"a prior whose scale is learned takes the tables engine; or state the prior by numbers"});
  } else if (options.engine == EngineChoice::automatic || options.engine == EngineChoice::exact) {
    out.engine = "exact";
    assembly.exact(problem, watch, options, conversation);
    out.reason = "a state and the next one; independent draws, no MCMC";
  } else {
    throw Error(ErrorCode::engine_unsuitable,
                {"a Markov chain is inferred by its tables: exact, tables or naive"});
  }
}

}  // namespace postern::infer
