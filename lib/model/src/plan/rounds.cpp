#include "postern/model/rounds.hpp"

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/model/noise_limits.hpp"

namespace postern::model {
namespace {

Rational spent_on(std::span<const PublishedRound> before, const Study& study) {
  Rational spent = 0;
  for (const PublishedRound& round : before) spent += cost(round, study);
  return spent;
}

void check_affordable(const Measurement& next, const Study& study, const Spend& charge,
                      std::span<const PublishedRound> before) {
  const Rational due = cost(next, study.schema, study.privacy);
  const Rational spent = mutant(70) ? Rational(0) : spent_on(before, study);
  if (sgn(due) <= 0) throw Error(ErrorCode::internal, {"a round of measurements costs nothing"});
  if (spent + due > charge.exact()) {
    throw Error(ErrorCode::internal,
                {"a round of measurements would cost more than is left of what was charged"});
  }
}

}  // namespace

std::optional<std::vector<BlockNoise>> RoundRule::foreseen(const Study& /*study*/, const Request& /*request*/,
                                                           const Rational& /*budget*/,
                                                           std::size_t /*round*/) const {
  return std::nullopt;
}

Rational cost(const PublishedRound& round, const Study& study) {
  Measurement measurement;
  for (const MeasuredBlock& measured : round.blocks) measurement.blocks.push_back(measured.block);
  return cost(measurement, study.schema, study.privacy);
}

std::optional<Measurement> next_round(const Study& study, const Request& request, const Spend& charge,
                                      std::span<const PublishedRound> before) {
  const Kind& kind = study.model.kind();
  const RoundRule* rule = kind.round_rule(study, request);
  const std::size_t most = rule == nullptr ? 1 : rule->at_most(study, request);
  if (before.size() >= most) return std::nullopt;
  Measurement next{before.empty() ? kind.design(study, request, charge.exact())
                                  : rule->next(study, request, charge.exact(), before)};
  if (next.blocks.empty()) return std::nullopt;
  for (Block& block : next.blocks) block.noise = writable_noise(block.noise);
  check_affordable(next, study, charge, before);
  return next;
}

}  // namespace postern::model
