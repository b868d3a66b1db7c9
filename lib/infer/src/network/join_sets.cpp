#include "network/join_sets.hpp"

#include <algorithm>

#include "postern/core/error.hpp"

namespace postern::infer {
namespace {

using Cells = std::vector<std::vector<NoisyValue>>;

/// Adds the values of a table of set `k` to those of the table of all sets, whose first variable is the set.
void add_slice(NetworkProblem& out, const std::vector<std::uint32_t>& variables, const Cells& values,
               std::size_t k) {
  if (std::all_of(values.begin(), values.end(), [](const auto& cell) { return cell.empty(); })) return;
  std::vector<std::uint32_t> wanted{static_cast<std::uint32_t>(out.sizes.size() - 1)};
  wanted.insert(wanted.end(), variables.begin(), variables.end());
  auto table = std::find_if(out.tables.begin(), out.tables.end(),
                            [&](const NoisyMargin& one) { return one.variables == wanted; });
  if (table == out.tables.end())
    table = out.tables.insert(table, {wanted, Cells(values.size() * out.sets.size())});
  std::copy(values.begin(), values.end(),
            table->noisy_values.begin() + static_cast<std::ptrdiff_t>(k * values.size()));
}

std::variant<KnownTotal, LatentTotal> sum_of(
    const std::vector<std::variant<KnownTotal, LatentTotal>>& totals) {
  std::int64_t most = 0;
  bool latent = false;
  for (const auto& total : totals) {
    const auto* known = std::get_if<KnownTotal>(&total);
    latent = latent || known == nullptr;
    most += known != nullptr ? known->n : std::get<LatentTotal>(total).at_most;
  }
  if (latent) return LatentTotal{most, 0};
  return KnownTotal{most};
}

}  // namespace

NetworkProblem join_sets(std::span<const NetworkProblem> problems) {
  const NetworkProblem& first = problems.front();
  NetworkProblem out;
  out.sizes = first.sizes;
  for (const NetworkFamily& family : first.families)
    out.families.push_back({family.variables, family.alpha, Cells(family.alpha.size())});
  const auto variable = static_cast<std::uint32_t>(out.sizes.size());
  out.sizes.push_back(static_cast<std::uint32_t>(problems.size()));
  out.families.push_back({{variable}, std::vector<double>(problems.size(), 1), Cells(problems.size())});
  for (const NetworkProblem& problem : problems) out.sets.push_back(problem.total);
  out.total = sum_of(out.sets);
  out.learned = first.learned;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    if (!problems[k].coefficients.empty() || !problems[k].choices.empty()) {
      throw Error(ErrorCode::unsupported,
                  {"several datasets of a network are combined where tables were released, and not Fourier "
                   "coefficients or chosen probabilities; infer from each dataset alone"});
    }
    for (const NetworkFamily& family : problems[k].families)
      add_slice(out, family.variables, family.noisy_values, k);
    for (const NoisyMargin& table : problems[k].tables)
      add_slice(out, table.variables, table.noisy_values, k);
  }
  return out;
}

}  // namespace postern::infer
