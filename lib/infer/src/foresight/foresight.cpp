#include "postern/infer/foresight.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/infer/kind.hpp"

#include "foresight/memory.hpp"

namespace postern::infer {

namespace {

Quotation megabytes_text(double bytes) { return public_number(std::llround(std::min(bytes, 1e18) / 1e6)); }

void check_memory_forecast(double bytes) {
  const auto most = static_cast<double>(InferOptions{}.memory_limit);
  if (bytes <= most) return;
  throw Error(
      ErrorCode::engine_limit,
      {"its posterior would need about ", megabytes_text(bytes), " MB of memory, and `infer` takes ",
       megabytes_text(most),
       " MB unless told otherwise; merge levels, have fewer columns, or declare a smaller bound on n"});
}

}  // namespace

void check_planned_bytes(const Kind& kind, const model::Study& study, const model::NoisePlan& plan,
                         std::optional<std::int64_t> n) {
  check_memory_forecast(kind.bytes(study, plan, n ? n : study.privacy.n_at_most));
}

std::optional<std::string> foreseen_refusal(const model::Study& study, const model::NoisePlan& plan,
                                            std::optional<std::int64_t> n) {
  if (!study.model.kind().has_posterior()) return std::nullopt;
  try {
    const Kind& kind = kind_of(study.model);
    if (const auto* foresees = dynamic_cast<const Foresees*>(&kind)) {
      foresees->check_plan(study, plan, n);
    } else {
      check_planned_bytes(kind, study, plan, n);
    }
  } catch (const Error& refusal) {
    if (refusal.code() != ErrorCode::engine_limit && refusal.code() != ErrorCode::engine_unsuitable) throw;
    return refusal.what();
  }
  return std::nullopt;
}

}  // namespace postern::infer
