#include "network/infer_network.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/infer/network/plug_in.hpp"
#include "postern/infer/network/star_posterior.hpp"
#include "postern/infer/network/tables_chain.hpp"
#include "postern/model/study.hpp"

#include "kinds/plug_in.hpp"
#include "network/choices.hpp"
#include "network/join_sets.hpp"
#include "network/make_problem.hpp"
#include "network/network_watch.hpp"
#include "posterior/draw_summary.hpp"
#include "posterior/fill_draws.hpp"
#include "posterior/from_chains.hpp"
#include "posterior/start.hpp"

namespace postern::infer {
namespace {

/// What is inferred from.
struct Question {
  const model::Study& study;
  const std::vector<release::RecordSet>& releases;
  std::vector<NetworkProblem> parts;  ///< of each record set
  NetworkProblem problem;
  std::vector<NamedTotal> totals;

  /// Of the problem's variables.
  [[nodiscard]] std::vector<std::string> variables() const {
    std::vector<std::string> out = model::columns_of(study.model);
    if (!problem.sets.empty()) out.emplace_back("dataset");
    return out;
  }
};

Question question_of(const model::Study& study, const std::vector<release::RecordSet>& sets,
                     const InferOptions& options) {
  std::vector<NetworkProblem> problems;
  std::vector<NamedTotal> totals;
  for (const release::RecordSet& set : sets) {
    problems.push_back(make_network_problem(study, set, options));
    totals.push_back({set.front()->study.dataset, problems.back().total});
  }
  NetworkProblem problem = problems.size() == 1 ? problems.front() : join_sets(problems);
  return {study, sets, std::move(problems), std::move(problem), std::move(totals)};
}

/// Means and deviations are exact; quantiles are the draws'.
void summarise_exactly(Posterior& out, const StarPosterior& posterior) {
  for (std::size_t q = 0; q < out.names.size(); ++q) {
    SummaryRow& row = out.summary.emplace_back(summarise_draws(out, q, DrawKind::independent));
    if (q < posterior.cells()) {
      row.mean = posterior.mean(q);
      row.sd = posterior.sd(q);
    } else {
      row.mean = posterior.total().mean;
      row.sd = posterior.total().sd;
    }
  }
}

Posterior infer_exact(const Question& question, const InferOptions& options,
                      const Conversation& conversation) {
  if (question.problem.learned) {
    throw Error(ErrorCode::engine_unsuitable,
                {"a network whose prior's scale is learned takes the tables engine; or state the prior by "
                 "numbers"});
  }
  if (!StarPosterior::fits(question.problem)) {
    throw Error(
        ErrorCode::engine_unsuitable,
        {"the exact engine takes noisy tables of one root whose children have no other parent (naive Bayes), "
         "of one dataset, and this is not of that form"});
  }
  Posterior out = start_posterior(question.study, question.totals, options);
  out.engine = "exact";
  out.reason = "one root and " + std::to_string(question.problem.families.size() - 1) +
               " leaves; independent draws, no MCMC";
  const StarPosterior posterior(question.problem, options.memory_limit, options.threads);
  conversation.report("drawing", 0.5);
  const std::size_t cells = posterior.cells();
  NoiseWatch watch(question.releases, out, options);
  const LatentWatch counts =
      watch_cells(question.study, question.releases, question.parts, question.problem, watch);
  const auto draw = [&](Rng& rng, std::vector<double>& values, std::size_t chain, std::size_t i) {
    thread_local std::vector<double> told;
    told.resize(counts.wants(i) ? cells : 0);
    const std::int64_t n = posterior.draw(std::span(values).first(cells), rng, told);
    if (values.size() > cells) values.back() = static_cast<double>(n);
    if (!told.empty()) counts.see(chain, told);
  };
  fill_draws_of_chains(out, options, conversation, draw);
  watch.tell(out);
  out.log_evidence = posterior.log_evidence();
  if (options.summarise) summarise_exactly(out, posterior);
  return out;
}

/// What the posterior of a learned prior is given, and whether n is.
void tell_learned(Posterior& out, const NetworkProblem& problem) {
  std::string text =
      "the prior is learned: the rows of a table lie around a centre of their own, each as closely as the "
      "release says";
  if (cuts_total(problem)) {
    out.cut.emplace_back("n");
    text += "; n comes from the released totals alone";
  } else if (problem.sets.empty() && std::holds_alternative<LatentTotal>(problem.total)) {
    text += "; the released totals are rounded or incomplete, so that n depends on that prior, too";
  } else if (!problem.sets.empty()) {
    text += "; the datasets' numbers of records, where they are private, depend on that prior, too";
  }
  out.notes.push_back(std::move(text));
}

Posterior infer_tables(const Question& question, const std::string& why, const InferOptions& options,
                       const Conversation& conversation) {
  // Cliques that are too large come first: no number of draws would mend them.
  const std::vector<std::string> variables = question.variables();
  check_network_tables(question.problem, options.chains, variables);
  Posterior out = start_posterior(question.study, question.totals, options);
  NoiseWatch watch(question.releases, out, options);
  DriverOptions driver = driver_for(out, options, "tables");
  driver.latents = watch_cells(question.study, question.releases, question.parts, question.problem, watch);
  take_chains(out, draw_network_tables(question.problem, driver, conversation, variables), "tables", why,
              options);
  watch.tell(out);
  if (question.problem.learned) tell_learned(out, question.problem);
  return out;
}

Posterior infer_naive(const Question& question, const InferOptions& options,
                      const Conversation& conversation) {
  if (!question.problem.sets.empty()) {
    throw Error(ErrorCode::engine_unsuitable,
                {"the plug-in answer is of one dataset; infer from each dataset alone"});
  }
  Posterior out = start_posterior(question.study, question.totals, options);
  ChainRun run = draw_network_plug_in(question.problem, driver_for(out, options, "naive"), conversation);
  out.draws = std::move(run.draws);
  out.engine = "naive";
  out.reason = "asked for; it takes the noisy counts for the truth";
  out.warnings.push_back(naive_warning());
  for (std::size_t q = 0; options.summarise && q < out.names.size(); ++q)
    out.summary.push_back(summarise_draws(out, q, DrawKind::independent));
  return out;
}

/// The exact engine where it fits and its memory does, else chains on tables.
Posterior infer_automatically(const Question& question, const InferOptions& options,
                              const Conversation& conversation) {
  if (!question.problem.coefficients.empty() || !question.problem.choices.empty()) {
    if (!tables_engine_takes(question.problem, options)) refuse_coefficients();
    return infer_tables(question,
                        question.problem.choices.empty()
                            ? "the noise of coefficients is on sums of cells"
                            : "choices are weighed by how likely counts make them",
                        options, conversation);
  }
  if (!question.problem.sets.empty()) {
    return infer_tables(question,
                        "a network behind " + std::to_string(question.problem.sets.size()) + " datasets",
                        options, conversation);
  }
  if (question.problem.learned)
    return infer_tables(question, "the scale of the prior is learned", options, conversation);
  if (!StarPosterior::fits(question.problem))
    return infer_tables(question, "a network that is not one root and its leaves", options, conversation);
  const double bytes = StarPosterior::forecast(question.problem).bytes;
  if (bytes <= static_cast<double>(options.memory_limit)) return infer_exact(question, options, conversation);
  return infer_tables(question, "the exact engine would need more memory than it may", options, conversation);
}

}  // namespace

void refuse_coefficients() {
  throw Error(ErrorCode::engine_unsuitable,
              {"this network has too many Fourier coefficients or choices, or too large cliques, for the "
               "engine that accounts for them; release family tables (mechanism laplace or gaussian), or "
               "take the plug-in answer, whose intervals are too narrow"});
}

bool tables_engine_takes(const NetworkProblem& problem, const InferOptions& options) {
  constexpr std::size_t kMostCoefficients = 2000;
  return few_enough_choices(problem) && problem.coefficients.size() <= kMostCoefficients &&
         forecast_network_tables(problem, static_cast<std::size_t>(options.chains)).bytes <=
             std::min(kNetworkTablesBytes, static_cast<double>(options.memory_limit));
}

Posterior infer_network(const model::Study& study, const std::vector<release::RecordSet>& sets,
                        const InferOptions& options, const Conversation& conversation) {
  const Question question = question_of(study, sets, options);
  switch (options.engine) {
    case EngineChoice::exact:
      return infer_exact(question, options, conversation);
    case EngineChoice::tables:
      return infer_tables(question, "asked for", options, conversation);
    case EngineChoice::naive:
      return infer_naive(question, options, conversation);
    case EngineChoice::automatic:
      return infer_automatically(question, options, conversation);
    case EngineChoice::moments:
    case EngineChoice::augment:
    case EngineChoice::gibbs:
    case EngineChoice::map:
    case EngineChoice::bounds:
    case EngineChoice::potentials:
      break;
  }
  throw Error(ErrorCode::engine_unsuitable,
              {"a network is inferred by its tables: latent records would be slower and no more exact"});
}

}  // namespace postern::infer
