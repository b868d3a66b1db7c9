#include "named_total.hpp"

#include <algorithm>

#include "postern/core/error.hpp"

namespace postern::infer {

std::variant<KnownTotal, LatentTotal> total_of(const release::RecordSet& releases) {
  const auto* first = std::get_if<release::PublicCount>(&releases.front()->n);
  if (first == nullptr) {
    std::int64_t at_most = std::get<release::PrivateCount>(releases.front()->n).at_most;
    for (const release::Release* release : releases) {
      at_most = std::min(at_most, std::get<release::PrivateCount>(release->n).at_most);
    }
    return LatentTotal{at_most};
  }
  for (const release::Release* release : releases) {
    if (std::get<release::PublicCount>(release->n).value != first->value) {
      throw Error(
          ErrorCode::releases_conflict,
          {"two releases of one record set state different numbers of records, ", public_number(first->value),
           " and ", public_number(std::get<release::PublicCount>(release->n).value),
           "; if the records changed, the owner must run `postern ledger new-records`"});
    }
  }
  return KnownTotal{first->value};
}

void name_totals(Posterior& out, const std::vector<NamedTotal>& totals) {
  for (std::size_t d = 0; d < totals.size(); ++d) {
    const auto* latent = std::get_if<LatentTotal>(&totals[d].total);
    if (latent == nullptr) continue;
    const bool only = totals.size() == 1;
    const std::string name = only ? "n" : "n." + std::to_string(d + 1);
    out.names.push_back(name);
    out.labels.push_back(only ? "number of records" : "number of records in " + totals[d].dataset);
    out.notes.push_back(name + " is private: uniform prior on " + std::to_string(totals[d].at_least) + ".." +
                        std::to_string(latent->at_most));
  }
}

}  // namespace postern::infer
