#include "warning.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace postern::infer {
namespace {

/// Warnings that say why the implied noise is strange.
constexpr std::array<std::string_view, 6> kExplain = {"total-not-n",        "n-above-bound",
                                                      "n-below-zero",       "tables-disagree",
                                                      "value-out-of-reach", "datasets-disagree"};

bool explained(const Posterior& posterior) {
  return std::any_of(posterior.warnings.begin(), posterior.warnings.end(), [](const Warning& one) {
    return std::find(kExplain.begin(), kExplain.end(), one.name) != kExplain.end();
  });
}

std::string number(const char* format, double value) {
  std::array<char, 40> out{};
  static_cast<void>(std::snprintf(out.data(), out.size(), format, value));
  return out.data();
}

std::string chance_text(double chance) { return chance < 1e-12 ? "1e-12" : number("%.0e", chance); }

}  // namespace

std::optional<Warning> implausible_noise(const Posterior& posterior, bool could_learn) {
  if (!posterior.implied_noise || !posterior.implied_noise->implausible() || explained(posterior))
    return std::nullopt;
  const ImpliedNoise& implied = *posterior.implied_noise;
  const auto worst = std::min_element(implied.blocks.begin(), implied.blocks.end(),
                                      [](const auto& a, const auto& b) { return a.chance < b.chance; });
  const std::string where = worst->worst.empty() ? worst->what : worst->worst + " in the " + worst->what;
  const std::string how =
      worst->by_sum ? "adds up to " + number("%+.1f", worst->worst_deviations) + " standard deviations"
                    : "is larger than its stated scale allows";
  return Warning{"noise-implausible",
                 "the released " + where + " can only agree with this posterior if its noise " + how +
                     ", which has a chance below " + chance_text(worst->chance) +
                     ". The prior or the model overrules the released values, and intervals are likely to "
                     "be wrong: infer with " +
                     (could_learn ? "a prior whose scale is learned (--prior learned) or " : "") +
                     "another prior that you can defend, and compare with the released values themselves"};
}

}  // namespace postern::infer
