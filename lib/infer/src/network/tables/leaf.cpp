#include "leaf.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"

namespace postern::infer {
namespace {

constexpr double kDepth = 45;           ///< nats below the likeliest total of a row that a chain may see
constexpr double kMostTerms = 1 << 26;  ///< weights of all messages of one leaf

std::int64_t most_records(const NetworkProblem& problem) {
  const auto* known = std::get_if<KnownTotal>(&problem.total);
  return known != nullptr ? known->n : std::get<LatentTotal>(problem.total).at_most;
}

}  // namespace

bool Leaf::worth_while(const NetworkProblem& problem, std::size_t variable) {
  double terms = 0;
  for (const std::vector<NoisyValue>& values : problem.families[variable].noisy_values) {
    double width = static_cast<double>(most_records(problem)) + 1;
    for (const NoisyValue& value : values)
      width = std::min(width, 2 * release::radius(value.law, kDepth) + 1);
    terms += 3 * width;
  }
  return terms <= kMostTerms;
}

std::optional<Leaf> Leaf::make(const NetworkProblem& problem, std::size_t variable, int threads) {
  const NetworkFamily& family = problem.families[variable];
  const std::int64_t most = most_records(problem);
  const std::size_t levels = problem.sizes[variable];
  Leaf leaf(variable);
  leaf.rows_.resize(family.alpha.size() / levels);
  try {
    parallel_for(leaf.rows_.size(), threads, [&](std::size_t row) {
      const CptRow cells{std::span(family.alpha).subspan(row * levels, levels),
                         std::span(family.noisy_values).subspan(row * levels, levels)};
      const bool seen = std::any_of(cells.noisy_values.begin(), cells.noisy_values.end(),
                                    [](const auto& values) { return !values.empty(); });
      if (seen) leaf.rows_[row] = RowMessage::everywhere(cells, most, kDepth);
    });
  } catch (const Error& error) {
    if (error.code() == ErrorCode::engine_limit) return std::nullopt;
    throw;
  }
  return leaf;
}

std::optional<CountMessage> Leaf::message(std::size_t row) const {
  if (!rows_[row]) return std::nullopt;
  const RowMessage& from = *rows_[row];
  const Window window = from.window();
  CountMessage out;
  out.lo = window.lo;
  out.log_weight.assign(from.log_weights().begin(), from.log_weights().end());
  out.fall_below = from.log_at(window.lo) - from.log_at(window.lo - 1);
  out.fall_above = from.log_at(window.hi) - from.log_at(window.hi + 1);
  return out;
}

void Leaf::draw(std::size_t row, std::int64_t total, std::span<std::int64_t> counts, Rng& rng) const {
  std::fill(counts.begin(), counts.end(), 0);
  if (!rows_[row]) return;
  if (rows_[row]->window().contains(total)) {
    rows_[row]->draw(total, counts, rng);
  } else {
    // A chain that has not yet found its way: all that matters is that the counts add up.
    counts[0] = total;
  }
}

}  // namespace postern::infer
