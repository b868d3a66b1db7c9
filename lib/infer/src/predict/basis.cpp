#include "postern/infer/basis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/model/study.hpp"
#include "postern/release/document.hpp"
#include "postern/release/rounds.hpp"

#include "query/given_prior.hpp"
#include "query/refuse_false.hpp"

namespace postern::infer {
namespace {

Error foreign(Piece what) {
  return Error(ErrorCode::input_unreadable,
               {"the posterior and what it was made from do not belong together: ", what,
                "; make it again with `postern infer`"});
}

std::vector<release::Release> releases_of(const Posterior& posterior) {
  if (posterior.documents.empty()) {
    throw Error(
        ErrorCode::unsupported,
        {"the posterior was saved without its releases, as an earlier version did; make it again with "
         "`postern infer`"});
  }
  std::vector<release::Release> releases;
  for (const std::string& document : posterior.documents)
    releases.push_back(release::parse_any_document(document));
  const bool named =
      std::equal(releases.begin(), releases.end(), posterior.releases.begin(), posterior.releases.end(),
                 [](const auto& release, const auto& id) { return release.release_id == id; });
  if (!named) throw foreign("it names other releases");
  refuse_false(releases);
  return releases;
}

void check_draws(const Posterior& posterior) {
  const std::size_t size = posterior.names.size() * posterior.iterations;
  const bool whole = posterior.chains > 0 && posterior.iterations > 0 &&
                     posterior.draws.size() == posterior.chains &&
                     std::all_of(posterior.draws.begin(), posterior.draws.end(),
                                 [&](const auto& chain) { return chain.size() == size; });
  if (!whole) throw foreign("its draws are not as many as it says");
}

}  // namespace

Basis basis_of(const Posterior& posterior) {
  check_draws(posterior);
  Basis out{posterior, releases_of(posterior), {}, {}, 0};
  for (release::Release& release : out.releases) release = release::settled(std::move(release));
  if (posterior.prior) give_prior(*posterior.prior, out.releases, out.options);
  const model::Study& study = out.study();
  out.options.public_rows = posterior.public_data;
  out.options.seed = posterior.seed;
  const auto priors = posterior.prior ? release::Priors::may_differ : release::Priors::must_agree;
  out.sets = release::group_by_records(out.releases, priors);
  const std::vector<model::Parameter> parameters = study.model.kind().parameters(study);
  out.parameters = parameters.size();
  const bool same = parameters.size() <= posterior.names.size() &&
                    std::equal(parameters.begin(), parameters.end(), posterior.names.begin(),
                               [](const auto& one, const auto& name) { return one.name == name; });
  if (!same) throw foreign("its quantities are not the parameters of their model");
  return out;
}

SomeDraws parameter_draws(const Basis& basis, std::size_t most) {
  const Posterior& posterior = basis.posterior;
  const std::size_t all = posterior.chains * posterior.iterations;
  SomeDraws out;
  out.draws = std::max<std::size_t>(1, std::min(most, all));
  out.values.resize(out.draws * basis.parameters);
  for (std::size_t d = 0; d < out.draws; ++d) {
    const std::size_t at = d * all / out.draws;
    const std::vector<double>& chain = posterior.draws[at / posterior.iterations];
    for (std::size_t q = 0; q < basis.parameters; ++q) {
      const double value = chain[q * posterior.iterations + at % posterior.iterations];
      if (!std::isfinite(value)) throw foreign("its draws are no numbers");
      out.values[q * out.draws + d] = value;
    }
  }
  return out;
}

SomeDraws probability_draws(const Basis& basis, std::size_t most) {
  SomeDraws out = parameter_draws(basis, most);
  for (const double value : out.values) {
    if (!(value >= 0 && value <= 1 + 1e-9)) throw foreign("its draws are no probabilities");
  }
  return out;
}

}  // namespace postern::infer
