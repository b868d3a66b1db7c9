#pragma once

#include <string>
#include <variant>
#include <vector>

#include "postern/infer/kinds/total.hpp"
#include "postern/infer/posterior.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// What the releases of one record set say about its number of records. Throws releases_conflict if they
/// disagree about a public n.
[[nodiscard]] std::variant<KnownTotal, LatentTotal> total_of(const release::RecordSet& releases);

struct NamedTotal {
  std::string dataset;
  std::variant<KnownTotal, LatentTotal> total;
  std::int64_t at_least = 0;  ///< the least n that an engine takes for possible
};
/// Reports n, or n.1, n.2 ... by dataset, where it is latent, with what was assumed about it.
void name_totals(Posterior& out, const std::vector<NamedTotal>& totals);

}  // namespace postern::infer
