#include "start.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/printable.hpp"

namespace postern::infer {
namespace {

Quotation megabytes(double bytes) { return public_number(std::llround(std::min(bytes, 1e24) / 1e6)); }

void refuse_too_many_draws(const Posterior& out, const InferOptions& options) {
  const double bytes = 8.0 * static_cast<double>(out.names.size()) * static_cast<double>(out.chains) *
                       static_cast<double>(out.iterations);
  if (bytes <= static_cast<double>(options.memory_limit)) return;
  throw Error(
      ErrorCode::engine_limit,
      {"so many draws of ", public_number(static_cast<long long>(out.names.size())), " quantities take ",
       megabytes(bytes), " MB, and the limit is ", megabytes(static_cast<double>(options.memory_limit)),
       "; ask for fewer chains, or for at most ",
       public_number(static_cast<long long>(static_cast<double>(options.memory_limit) / bytes *
                                            static_cast<double>(out.iterations))),
       " draws a chain"});
}

}  // namespace

Posterior start_posterior(std::vector<std::string> names, std::vector<std::string> labels,
                          const std::vector<NamedTotal>& totals, const InferOptions& options) {
  Posterior out;
  out.names = std::move(names);
  out.labels = std::move(labels);
  name_totals(out, totals);
  // From here labels go to terminals and files, and a release may come from anyone.
  for (std::string& label : out.labels) label = printable(label);
  out.chains = static_cast<std::size_t>(options.chains);
  out.iterations = options.draws;
  refuse_too_many_draws(out, options);
  return out;
}

Posterior start_posterior(const model::Study& study, const std::vector<NamedTotal>& totals,
                          const InferOptions& options) {
  std::vector<std::string> names;
  std::vector<std::string> labels;
  for (model::Parameter& one : study.model.kind().parameters(study)) {
    names.push_back(std::move(one.name));
    labels.push_back(std::move(one.label));
  }
  return start_posterior(std::move(names), std::move(labels), totals, options);
}

Posterior start_counts(const CountModel& model, const std::vector<NamedProblem>& groups,
                       const InferOptions& options) {
  std::vector<std::string> names;
  std::vector<std::string> labels;
  for (const CellQuantity& quantity : model.quantities) {
    names.push_back(quantity.name);
    labels.push_back(quantity.label);
  }
  std::vector<NamedTotal> totals;
  totals.reserve(groups.size());
  for (const NamedProblem& group : groups) totals.push_back({group.dataset, group.problem.total});
  return start_posterior(std::move(names), std::move(labels), totals, options);
}

void refuse_too_large(const RecordsForecast& forecast, const InferOptions& options) {
  if (forecast.bytes <= static_cast<double>(options.memory_limit)) return;
  throw Error(ErrorCode::engine_limit,
              {"the chains may hold ", public_number(std::llround(std::min(forecast.records, 1e18))),
               " records each, which takes ", megabytes(forecast.bytes),
               " MB; ask for fewer chains, or declare a smaller bound on n"});
}

}  // namespace postern::infer
