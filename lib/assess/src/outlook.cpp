#include "postern/assess/outlook.hpp"

#include <algorithm>
#include <chrono>

#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"

namespace postern::assess {
namespace {

constexpr std::int64_t kSimulations = 200;
constexpr double kEngineBytes = 2147483648;  // infer's memory limit

/// How many simulations fit into about twenty seconds, judged by one; never fewer than three.
std::size_t affordable(double seconds_each) {
  const double most = std::max(3.0, 20 * default_threads() / std::max(1e-6, seconds_each));
  return static_cast<std::size_t>(std::min(static_cast<double>(kSimulations), most));
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
  outlook.forecast = forecast_posterior(study, plan, options.n);
  if (outlook.forecast.bytes > kEngineBytes) return outlook;
  WidthOptions width;
  width.n = options.n;
  width.seed = options.seed;
  width.threads = 4 * outlook.forecast.bytes > kEngineBytes ? 1 : options.threads;
  const auto start = std::chrono::steady_clock::now();
  width.draws = 1;
  (void)expected_width(study, plan, width, {conversation.stop, {}});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  outlook.seconds = taken.count();
  width.draws =
      options.simulations ? static_cast<std::size_t>(*options.simulations) : affordable(outlook.seconds);
  outlook.width = expected_width(study, plan, width, conversation);
  return outlook;
}

}  // namespace postern::assess
