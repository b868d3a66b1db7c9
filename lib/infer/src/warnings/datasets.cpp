#include "datasets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "postern/core/error.hpp"
#include "postern/core/printable.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {
namespace {

constexpr double kFalseAlarm = 1e-3;

/// Two sets and the parameter at which they are farthest apart.
struct Contrast {
  double deviations = 0;
  std::size_t a = 0;
  std::size_t b = 0;
  std::string label;
};

/// The posterior of one set alone, by few draws: of means and deviations.
Posterior alone(const Kind& kind, const release::RecordSet& set, InferOptions options,
                const Conversation& conversation) {
  options.chains = 2;
  options.draws = 250;
  options.check_noise = false;
  return kind.infer({set}, options, conversation);
}

Contrast farthest(const std::vector<Posterior>& singles, std::size_t parameters) {
  Contrast out;
  for (std::size_t b = 0; b < singles.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      for (std::size_t q = 0; q < parameters; ++q) {
        const SummaryRow& one = singles[a].summary[q];
        const SummaryRow& other = singles[b].summary[q];
        const double sd = std::hypot(one.sd, other.sd);
        const double deviations = sd > 0 ? std::abs(one.mean - other.mean) / sd : 0;
        if (deviations > out.deviations) out = {deviations, a, b, one.label};
      }
    }
  }
  return out;
}

/// The largest contrast that comes up by chance once in 1000, each being normal at most.
double most_deviations(std::size_t sets, std::size_t parameters) {
  const auto pairs = 0.5 * static_cast<double>(sets) * static_cast<double>(sets - 1);
  return std::sqrt(
      2 * std::log(2 / kFalseAlarm * pairs * static_cast<double>(std::max<std::size_t>(1, parameters))));
}

/// log p(all) - sum of log p(each), where all of them are known.
std::optional<double> log_contrast(const Posterior& pooled, const std::vector<Posterior>& singles) {
  if (!pooled.log_evidence) return std::nullopt;
  double out = *pooled.log_evidence;
  for (const Posterior& one : singles) {
    if (!one.log_evidence) return std::nullopt;
    out -= *one.log_evidence;
  }
  return out;
}

std::string number(const char* format, double value) {
  std::array<char, 40> out{};
  static_cast<void>(std::snprintf(out.data(), out.size(), format, value));
  return out.data();
}

Warning warning_of(const std::vector<release::RecordSet>& sets, const Contrast& where,
                   const std::string& how) {
  const std::string names =
      "datasets " + sets[where.a].front()->study.dataset + " and " + sets[where.b].front()->study.dataset;
  return {"datasets-disagree",
          printable("the datasets are unlikely to share one theta, as this posterior takes for granted: " +
                    how + ". " + names + " differ most, in " + where.label +
                    ". What is told here is true of neither: infer from each dataset alone")};
}

}  // namespace

std::optional<Warning> disagreeing_datasets(const Kind& kind, const std::vector<release::RecordSet>& sets,
                                            const Posterior& pooled, const InferOptions& options,
                                            const Conversation& conversation) {
  std::vector<Posterior> singles;
  try {
    for (const release::RecordSet& set : sets) singles.push_back(alone(kind, set, options, conversation));
  } catch (const Error& refusal) {
    if (refusal.code() == ErrorCode::interrupted) throw;
    return std::nullopt;  // the engine takes all sets together and not each alone: nothing is claimed
  }
  const model::Study& study = sets.front().front()->study;
  std::size_t parameters = study.model.kind().parameters(study).size();
  for (const Posterior& one : singles) parameters = std::min(parameters, one.summary.size());
  const Contrast where = farthest(singles, parameters);
  const bool learned = !options.prior && study.model.kind().learned_prior(study.model);
  const std::optional<double> contrast = log_contrast(pooled, singles);
  if (contrast && !learned) {
    if (!(*contrast < std::log(kFalseAlarm))) return std::nullopt;
    return warning_of(
        sets, where,
        "their releases are " + number("%.0f", -*contrast) + " nats less probable together than one by one");
  }
  if (!(where.deviations > most_deviations(sets.size(), parameters))) return std::nullopt;
  return warning_of(sets, where,
                    "posterior means of single datasets are " + number("%.1f", where.deviations) +
                        " standard deviations apart");
}

}  // namespace postern::infer
