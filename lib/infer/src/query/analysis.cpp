#include "postern/infer/analysis.hpp"

#include <algorithm>

#include "postern/core/error.hpp"
#include "postern/infer/kind.hpp"
#include "postern/infer/public_rows.hpp"
#include "postern/infer/query.hpp"
#include "postern/model/study.hpp"
#include "postern/release/document.hpp"
#include "postern/release/rounds.hpp"

#include "query/given_prior.hpp"
#include "query/refuse_false.hpp"

namespace postern::infer {
namespace {

/// An engine without chains computes its own rows from the posterior itself; answers come from the draws.
void note_answers(Posterior& posterior) {
  const bool chains = std::any_of(posterior.summary.begin(), posterior.summary.end(),
                                  [](const SummaryRow& row) { return row.ess || row.rhat; });
  // Under a learned prior all rows come from the draws, and there is no evidence.
  const bool learned = posterior.engine == "exact" && !posterior.log_evidence;
  if (chains || learned || posterior.chains * posterior.iterations == 1) return;
  posterior.notes.push_back("rows of queries are computed from the " +
                            std::to_string(posterior.chains * posterior.iterations) +
                            " draws, the others without them: more draws make the answers finer");
}

void answer(const std::vector<Query>& queries, const model::Study& study, Posterior& posterior) {
  for (std::size_t i = 0; i < queries.size(); ++i) answer_query(queries[i], i + 1, study, posterior);
}

/// Draws that are alike to the last bit were made under one prior.
bool same_draws(const Posterior& one, const Posterior& other) {
  for (std::size_t c = 0; c < one.draws.size(); ++c) {
    const std::size_t size = std::min(one.draws[c].size(), other.draws[c].size());  // one may have answers
    if (!std::equal(one.draws[c].begin(), one.draws[c].begin() + static_cast<std::ptrdiff_t>(size),
                    other.draws[c].begin()))
      return false;
  }
  return true;
}

/// The same releases, queries and seed under a prior of half and of twice as many records; under a learned
/// prior, with the law of its scale about half and twice what it is. Where the scale was not learned, as from
/// several datasets, the prior that was used instead is taken for half and twice as many records.
std::vector<Alternative> alternatives(std::span<const release::Release> releases,
                                      const std::vector<Query>& queries, Posterior& answered,
                                      InferOptions options, const Conversation& conversation) {
  const model::Study& study = releases.front().study;
  const model::Model model =
      options.prior ? study.model.kind().with_prior(study.model, *options.prior) : study.model;
  options.check_noise = false;
  const bool learned = !options.prior && model.kind().learned_prior(model);
  bool of_scale = learned;
  std::vector<Alternative> out;
  for (const Rational& times : {Rational(1, 2), Rational(2)}) {
    Posterior other;
    if (of_scale) {
      options.prior_scale = times.get_d();
      other = infer(releases, options, conversation);
      of_scale = !same_draws(other, answered);
    }
    if (!of_scale) {
      options.prior = model.kind().scaled_prior(model, times);
      other = infer(releases, options, conversation);
    }
    answer(queries, study, other);
    out.push_back({times.get_d(), std::move(other.summary)});
  }
  if (learned && !of_scale)
    answered.notes.push_back(
        "the scale of the prior was not learned here: the prior that was used instead was taken to be worth "
        "half and twice as many records");
  return out;
}

}  // namespace

Posterior analyse(std::span<const release::Release> published, const AnalysisRequest& request,
                  InferOptions options, const Conversation& conversation) {
  if (published.empty()) throw Error(ErrorCode::usage, {"there is no release to infer from"});
  options.engine = parse_engine(request.engine);
  refuse_false(published);
  std::vector<release::Release> releases;
  for (const release::Release& one : published) releases.push_back(release::settled(one));
  const model::Study& study = releases.front().study;
  if (request.prior) give_prior(*request.prior, releases, options);
  std::vector<Query> queries;
  queries.reserve(request.queries.size());
  for (const std::string& text : request.queries) queries.push_back(parse_query(text, study));
  Posterior posterior = infer(releases, options, conversation);
  posterior.seed = options.seed;
  for (const release::Release& release : published) {
    posterior.releases.push_back(release.release_id);
    posterior.documents.push_back(release::to_document(release));
  }
  posterior.prior = request.prior;
  posterior.table = kind_of(study.model).table(study);
  if (options.public_rows) {
    posterior.public_rows = rows_taken(*options.public_rows);
    posterior.public_data = options.public_rows;
  }
  if (!queries.empty()) note_answers(posterior);
  answer(queries, study, posterior);
  if (request.sensitivity)
    posterior.sensitivity = alternatives(releases, queries, posterior, options, conversation);
  return posterior;
}

}  // namespace postern::infer
