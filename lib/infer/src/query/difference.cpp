#include "postern/infer/difference.hpp"

#include <algorithm>
#include <utility>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/printable.hpp"
#include "postern/core/rng.hpp"
#include "postern/infer/basis.hpp"
#include "postern/infer/query.hpp"
#include "postern/release/release.hpp"

#include "posterior/draw_summary.hpp"
#include "posterior/stream_key.hpp"

namespace postern::infer {
namespace {

void refuse_shared(const Basis& a, const Basis& b) {
  for (const release::Release& one : a.releases) {
    for (const release::Release& other : b.releases) {
      const bool same = one.release_id == other.release_id;
      const bool records = !one.ledger.record_set.empty() && one.ledger.record_set == other.ledger.record_set;
      if (!same && !records) continue;
      throw Error(ErrorCode::releases_conflict,
                  {"both posteriors are of ", same ? Piece("") : Piece("the records of "), "release ",
                   from_document(one.release_id),
                   ", so their draws are not independent; infer them together, from all releases at once"});
    }
  }
}

/// The query's draws in one posterior, chain after chain.
std::vector<double> answers(const Basis& basis, const std::string& query) {
  Posterior posterior = basis.posterior;
  std::size_t at = posterior.names.size();
  for (std::size_t q = 0; q < posterior.names.size(); ++q) {
    if (posterior.names[q] == query || posterior.labels[q] == query) at = std::min(at, q);
  }
  if (at == posterior.names.size())
    answer_query(parse_query(query, basis.study()), at + 1, basis.study(), posterior);
  std::vector<double> out;
  for (const std::vector<double>& chain : posterior.draws) {
    const auto first = chain.begin() + static_cast<std::ptrdiff_t>(at * posterior.iterations);
    out.insert(out.end(), first, first + static_cast<std::ptrdiff_t>(posterior.iterations));
  }
  if (out.size() < 2)
    throw Error(ErrorCode::bad_option,
                {"a posterior of one draw is a point without an interval, and a difference "
                 "from it has none; infer with another engine"});
  return out;
}

/// Random pairs are independent whatever seeds and versions the draws were made with.
void shuffle(std::vector<double>& draws, const Basis& a, const Basis& b) {
  std::vector<std::string> ids = a.posterior.releases;
  ids.insert(ids.end(), b.posterior.releases.begin(), b.posterior.releases.end());
  Rng rng(stream_key(0, std::move(ids)), 0, Purpose::prediction);
  for (std::size_t i = draws.size(); i > 1; --i) std::swap(draws[i - 1], draws[draw_below(i, rng)]);
}

}  // namespace

Difference difference(const Posterior& a, const Posterior& b, const std::string& query) {
  const Basis one = basis_of(a);
  const Basis other = basis_of(b);
  refuse_shared(one, other);
  const std::vector<double> left = answers(one, query);
  std::vector<double> right = answers(other, query);
  shuffle(right, one, other);
  Difference out;
  const std::size_t pairs = std::min(left.size(), right.size());
  for (std::size_t i = 0; i < pairs; ++i) out.draws.push_back(left[i] - right[i]);
  Posterior alone;
  alone.names = {"difference"};
  alone.labels = {printable(query)};
  alone.chains = 1;
  alone.iterations = pairs;
  alone.draws = {out.draws};
  out.summary = summarise_draws(alone, 0, DrawKind::independent);
  return out;
}

}  // namespace postern::infer
