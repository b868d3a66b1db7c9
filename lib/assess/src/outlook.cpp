#include "postern/assess/outlook.hpp"

#include "postern/assess/truth.hpp"
#include "postern/core/error.hpp"
#include "postern/infer/infer.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/grid_split.hpp"

namespace postern::assess {
namespace {

const auto kEngineBytes = static_cast<double>(infer::InferOptions{}.memory_limit);

constexpr double kSeconds = 10;

/// No rows where no engine takes so many records.
ExpectedWidth width_if_taken(const model::Study& study, const model::NoisePlan& plan,
                             const WidthOptions& options, const Conversation& conversation) {
  try {
    return expected_width(study, plan, options, conversation);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::engine_limit) throw;
    return {};
  }
}

/// Nothing where there is room for all.
std::optional<std::size_t> most_draws(const model::Study& study) {
  const infer::InferOptions usual;
  const auto quantities = static_cast<double>(study.model.kind().parameters(study).size() + 1);
  const double each = 8 * quantities * usual.chains;  // bytes of a draw of every chain
  if (each * static_cast<double>(usual.draws) <= kEngineBytes) return std::nullopt;
  return static_cast<std::size_t>(kEngineBytes / each);
}

}  // namespace

std::optional<Outlook> look_ahead(const model::Study& study, const model::NoisePlan& plan,
                                  const OutlookOptions& options, const Conversation& conversation) {
  std::optional<std::vector<double>> truth;
  if (options.at) truth = parse_truth(*options.at, study);
  if (!study.model.kind().has_posterior()) return std::nullopt;
  // A draw on a grid is its own answer: there is no interval whose width could be foretold.
  if (model::planned_grid(plan.measurement, study.schema, study.privacy)) return std::nullopt;
  const bool hidden = study.privacy.adjacency == model::Adjacency::add_remove;
  if (!hidden && !options.n) return std::nullopt;
  if (hidden && options.n && *options.n > *study.privacy.n_at_most) {
    throw Error(ErrorCode::bad_option,
                {"n ", public_number(*options.n), " is more than the study's n.at_most, ",
                 public_number(*study.privacy.n_at_most)});
  }
  Outlook outlook;
  outlook.bytes = posterior_bytes(study, plan, options.n);
  if (!plan.rounds) outlook.most_draws = most_draws(study);  // what a release chooses has no parameters yet
  if (outlook.bytes > kEngineBytes) return outlook;
  WidthOptions width;
  width.n = options.n;
  width.at = std::move(truth);
  if (options.simulations) width.draws = static_cast<std::size_t>(*options.simulations);
  if (options.seconds || !options.simulations) width.seconds = options.seconds.value_or(kSeconds);
  width.seed = options.seed;
  width.threads = 4 * outlook.bytes > kEngineBytes ? 1 : options.threads;
  outlook.width = width_if_taken(study, plan, width, conversation);
  return outlook;
}

}  // namespace postern::assess
