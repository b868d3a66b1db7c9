#include "score.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <sstream>

namespace postern::honesty {
namespace {

/// Warnings that say why an interval may not hold its truth.
const std::set<std::string>& cause_names() {
  static const std::set<std::string> out = {
      "noise-implausible", "prior-outweighs-data", "effect-hidden",       "residual-hidden",
      "columns-hidden",    "datasets-disagree",    "few-effective-draws", "chains-disagree",
      "prior-decides",     "features-not-normal",  "target-clamped",      "law-not-fitting",
      "columns-clamped",   "shares-spread"};
  return out;
}

/// What `infer` warned of before priors were learned and noise was checked.
const std::set<std::string>& old_names() {
  static const std::set<std::string> out = {"n-above-bound",
                                            "n-below-zero",
                                            "total-not-n",
                                            "value-out-of-reach",
                                            "tables-disagree",
                                            "prior-not-used",
                                            "engine-approximate",
                                            "no-interval",
                                            "mode-not-reached",
                                            "prior-outweighs-data",
                                            "noise-outweighs-counts",
                                            "chains-disagree",
                                            "few-effective-draws",
                                            "large-output",
                                            "axis-undetermined",
                                            "target-clamped",
                                            "features-not-normal",
                                            "naive-ignores-noise"};
  return out;
}

struct Mean {
  double mean = 0;
  double sd = 0;
};

Mean mean_of(const std::vector<double>& values) {
  Mean out;
  if (values.empty()) return out;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) out.mean += value / count;
  for (const double value : values) out.sd += (value - out.mean) * (value - out.mean);
  out.sd = values.size() > 1 ? std::sqrt(out.sd / (count - 1)) : 0;
  return out;
}

Verdict verdict_of(const Score& score, double margin) {
  if (score.refused == "not-yet") return Verdict::not_yet;
  if (2 * score.answered < score.rounds) return Verdict::refuses;
  if (score.held >= 0.85) return Verdict::holds;
  if (score.answered < 4) return Verdict::open;  // nothing is known of how releases differ
  const double se = score.held_sd / std::sqrt(static_cast<double>(score.answered));
  return score.held + margin * se < 0.85 ? Verdict::fails : Verdict::open;
}

void add_warnings(const Answer& answer, double share, Score& out) {
  bool cause = false;
  bool fresh = false;
  for (const std::string& name : std::set<std::string>(answer.warned.begin(), answer.warned.end())) {
    out.warned[name] += share;
    cause = cause || cause_names().count(name) > 0;
    fresh = fresh || old_names().count(name) == 0;
  }
  out.cause_warned += cause ? share : 0;
  out.newly_warned += fresh ? share : 0;
}

void add_held(const std::vector<const Answer*>& answers, Score& out) {
  std::vector<double> held;
  std::vector<std::vector<double>> bins(3);
  for (const Answer* answer : answers) {
    held.push_back(answer->held);
    for (std::size_t bin = 0; bin < 3; ++bin) {
      if (answer->bins[bin] >= 0) bins[bin].push_back(answer->bins[bin]);
    }
  }
  out.held = mean_of(held).mean;
  out.held_sd = mean_of(held).sd;
  for (const auto& bin : bins) out.bins.push_back(bin.empty() ? -1 : mean_of(bin).mean);
}

void add_plain(const std::vector<const Answer*>& answers, Score& out) {
  std::vector<double> plain;
  std::vector<double> behind;
  for (const Answer* answer : answers) {
    if (!answer->has_plain) continue;
    plain.push_back(answer->plain_held);
    behind.push_back(answer->plain_held - answer->compared);
  }
  if (plain.empty()) return;
  out.has_plain = true;
  out.plain = mean_of(plain).mean;
  out.behind = mean_of(behind).mean;
  out.behind_se = mean_of(behind).sd / std::sqrt(static_cast<double>(behind.size()));
}

/// As printf writes it.
template <class... Values>
std::string formatted(const char* form, Values... values) {
  char text[300];
  (void)std::snprintf(text, sizeof text, form, values...);
  return text;
}

/// Bars that are shares as they stand where many releases are judged have a margin in a short run: so many
/// standard errors.
double short_run(double margin) {
  constexpr double kRule = 2.33;
  return margin > kRule ? margin : 0;
}

/// The bars that one case breaks.
void add_broken(const Score& score, double margin, std::vector<std::string>& out) {
  const bool fails = score.verdict == Verdict::fails;
  if (fails && score.cause_warned < 0.9) {
    out.push_back(score.name +
                  formatted(": held %.3f, and warned of the cause in %.2f of releases (.9 asked)", score.held,
                            score.cause_warned));
  }
  const double allowed =
      0.05 + short_run(margin) * std::sqrt(0.05 * 0.95 / static_cast<double>(score.answered));
  if (!fails && score.newly_warned > allowed) {
    out.push_back(score.name + formatted(": holds %.3f, and a new warning in %.2f of releases (.05 allowed)",
                                         score.held, score.newly_warned));
  }
  if (score.has_plain && score.behind > 0.05 + margin * score.behind_se) {
    out.push_back(score.name + formatted(": held less often than by the unbiased sum, by %.3f (se %.3f)",
                                         score.behind, score.behind_se));
  }
}

}  // namespace

std::string_view to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::open:
      return "open";
    case Verdict::fails:
      return "FAILS";
    case Verdict::refuses:
      return "no answer";
    case Verdict::not_yet:
      break;
  }
  return "not yet";
}

Score score_of(const std::string& name, Prior prior, std::size_t which, const std::vector<Round>& rounds,
               double margin) {
  Score out;
  out.name = name;
  out.prior = prior;
  out.rounds = rounds.size();
  std::vector<const Answer*> answers;
  for (const Round& round : rounds) {
    const Answer& answer = round.answers.at(which);
    if (answer.refused.empty()) {
      answers.push_back(&answer);
    } else {
      out.refused = answer.refused;
    }
  }
  out.answered = answers.size();
  add_held(answers, out);
  add_plain(answers, out);
  const double share = 1 / std::max(1.0, static_cast<double>(answers.size()));
  for (const Answer* answer : answers) {
    out.width += share * answer->width;
    out.seconds += share * answer->seconds;
    out.engine = answer->engine;
    add_warnings(*answer, share, out);
  }
  out.verdict = verdict_of(out, margin);
  return out;
}

std::vector<std::string> broken_bars(const std::vector<Score>& scores, double margin) {
  std::vector<std::string> out;
  double pooled = 0;
  double variance = 0;
  double answered = 0;
  double cases = 0;
  double holding = 0;
  for (const Score& score : scores) {
    if (score.verdict == Verdict::not_yet) continue;
    cases += 1;
    if (score.verdict == Verdict::refuses) {
      out.push_back(score.name + ": no answer (" + score.refused + ")");
      continue;
    }
    answered += 1;
    pooled += score.held;
    variance += score.held_sd * score.held_sd / static_cast<double>(score.answered);
    holding += score.verdict == Verdict::fails ? 0 : 1;
    add_broken(score, margin, out);
  }
  if (answered > 0 && pooled + short_run(margin) * std::sqrt(variance) < 0.88 * answered)
    out.push_back(formatted("pooled over %.0f cases: held %.3f (.88 asked)", answered, pooled / answered));
  if (holding < 0.9 * cases)
    out.push_back(formatted("%.0f of %.0f cases hold (nine of ten asked)", holding, cases));
  return out;
}

std::string csv_header() {
  return "case,prior,rounds,answered,held,se,verdict,wide,held_below_1,held_1_to_3,held_above_3,width,plain,"
         "behind,behind_se,cause_warned,newly_warned,warnings,cpu_seconds,engine,refused\n";
}

std::string csv_line(const Score& score) {
  std::ostringstream out;
  out.precision(4);
  const auto cell = [&](double value) {
    if (value >= 0) out << value;
    out << ',';
  };
  out << score.name << ',' << (score.prior == Prior::learned ? "learned" : "old") << ',' << score.rounds
      << ',' << score.answered << ',' << score.held << ','
      << score.held_sd / std::sqrt(std::max<double>(1, static_cast<double>(score.answered))) << ','
      << to_text(score.verdict) << ',' << (score.held > 0.97 ? "too wide" : "") << ',';
  for (const double bin : score.bins) cell(bin);
  out << score.width << ',';
  if (score.has_plain) out << score.plain << ',' << score.behind << ',' << score.behind_se << ',';
  if (!score.has_plain) out << ",,,";
  out << score.cause_warned << ',' << score.newly_warned << ',';
  bool first = true;
  for (const auto& [name, share] : score.warned) {
    out << (first ? "" : " ") << name << ' ' << share;
    first = false;
  }
  out << ',' << score.seconds << ',' << score.engine << ',' << score.refused << '\n';
  return out.str();
}

std::string text_line(const Score& score) {
  const double se = score.held_sd / std::sqrt(std::max(1.0, static_cast<double>(score.answered)));
  std::string out =
      formatted("%-44s %-7s %3zu/%-3zu held %.3f (%.3f) %-9s width %.2f cause %.2f new %.2f cpu %.2f",
                score.name.c_str(), score.prior == Prior::learned ? "learned" : "old", score.answered,
                score.rounds, score.held, se, std::string(to_text(score.verdict)).c_str(), score.width,
                score.cause_warned, score.newly_warned, score.seconds);
  if (score.has_plain)
    out += formatted(" plain %.3f behind %.3f (%.3f)", score.plain, score.behind, score.behind_se);
  if (score.bins[2] >= 0)
    out += formatted(" bins %.2f %.2f %.2f", score.bins[0], score.bins[1], score.bins[2]);
  for (const auto& [name, share] : score.warned) out += formatted(" %s %.2f", name.c_str(), share);
  if (!score.refused.empty()) out += " (" + score.refused + ")";
  return out + "\n";
}

}  // namespace postern::honesty
