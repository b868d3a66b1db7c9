#include "postern/assess/outlook.hpp"

#include "postern/core/error.hpp"
#include "postern/infer/infer.hpp"

namespace postern::assess {
namespace {

const auto kEngineBytes = static_cast<double>(infer::InferOptions{}.memory_limit);

constexpr double kSeconds = 10;

/// No rows where no engine takes so many records.
ExpectedWidth width_if_taken(const model::Study& study, const model::NoisePlan& plan, WidthOptions options,
                             std::optional<std::int64_t> simulations, const Conversation& conversation) {
  try {
    if (simulations) {
      options.draws = static_cast<std::size_t>(*simulations);
    } else {
      options.seconds = kSeconds;
    }
    return expected_width(study, plan, options, conversation);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::engine_limit) throw;
    return {};
  }
}

}  // namespace

std::optional<Outlook> look_ahead(const model::Study& study, const model::NoisePlan& plan,
                                  const OutlookOptions& options, const Conversation& conversation) {
  if (std::holds_alternative<model::Quantiles>(study.model)) return std::nullopt;
  const bool hidden = study.privacy.adjacency == model::Adjacency::add_remove;
  if (!hidden && !options.n) return std::nullopt;
  if (hidden && options.n && *options.n > *study.privacy.n_at_most) {
    throw Error(ErrorCode::bad_option,
                {"n ", public_number(*options.n), " is more than the study's n.at_most, ",
                 public_number(*study.privacy.n_at_most)});
  }
  Outlook outlook;
  outlook.bytes = posterior_bytes(study, plan, options.n);
  if (outlook.bytes > kEngineBytes) return outlook;
  WidthOptions width;
  width.n = options.n;
  width.seed = options.seed;
  width.threads = 4 * outlook.bytes > kEngineBytes ? 1 : options.threads;
  outlook.width = width_if_taken(study, plan, width, options.simulations, conversation);
  return outlook;
}

}  // namespace postern::assess
