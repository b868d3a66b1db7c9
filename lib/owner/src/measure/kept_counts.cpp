#include "postern/owner/count.hpp"
#include "postern/owner/measure.hpp"

namespace postern::owner {

void KeptCounts::count(const std::vector<std::vector<std::string>>& tables, const Records& records,
                       const model::Schema& schema, int threads) {
  counts_[{}] = {static_cast<std::int64_t>(records.rows())};
  std::vector<std::vector<std::string>> wanted;
  for (const std::vector<std::string>& columns : tables) {
    if (counts_.emplace(columns, Wiped<std::int64_t>()).second) wanted.push_back(columns);
  }
  if (wanted.empty()) return;
  std::vector<std::vector<std::int64_t>> counted = count_tables(records, schema, wanted, threads);
  for (std::size_t t = 0; t < wanted.size(); ++t) {
    counts_[wanted[t]].assign(counted[t].begin(), counted[t].end());
    wipe(counted[t].data(), counted[t].size() * sizeof(std::int64_t));
  }
}

std::span<const std::int64_t> KeptCounts::of(const std::vector<std::string>& columns) const {
  return counts_.at(columns);
}

}  // namespace postern::owner
