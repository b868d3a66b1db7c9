#include "run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <span>
#include <thread>

#include "postern/core/error.hpp"
#include "postern/infer/analysis.hpp"
#include "postern/infer/round_fit.hpp"
#include "postern/model/budget.hpp"
#include "postern/model/study_file.hpp"
#include "postern/owner/gate.hpp"
#include "postern/owner/source.hpp"
#include "postern/release/document.hpp"

#include "scripted_entropy.hpp"

namespace postern::honesty {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Asks for a stop when so much CPU time has gone by.
class Limit {
 public:
  explicit Limit(double seconds)
      : watch_([this, end = cpu_seconds() + seconds](const std::stop_token& done) {
          while (!done.stop_requested() && cpu_seconds() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
          if (!done.stop_requested()) source_.request_stop();
        }) {}
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread watch_;
};

/// The same on every machine (FNV-1a).
std::uint64_t number_of(const std::string& text) {
  std::uint64_t out = 14695981039346656037U;
  for (const char c : text) out = (out ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return out;
}

release::Release make_release(const HonestCase& one, const Records& records, std::size_t number,
                              const RunOptions& options) {
  model::ModelWish wish;
  if (one.select_tree) wish.select = model::Selection::tree;
  const model::Study study = model::parse_study(one.study, one.name, wish);
  model::BudgetRequest request;
  (study.privacy.currency == Currency::pure ? request.epsilon : request.rho) = one.budget;
  const model::NoisePlan plan = model::plan_for(request, study);
  const std::filesystem::path file = options.folder / "records.csv";
  write_records(records, file);
  const owner::Measure measure = owner::open_csv(file.string(), study, 1);
  owner::Ledger ledger = owner::Ledger::rehearsal(
      {study.dataset, study.privacy, Spend(study.privacy.currency, std::int64_t{1} << 62)});
  owner::ScriptedEntropy entropy(number_of(one.name) + 1000003 * options.seed + number);
  const release::Release made =
      owner::pass_gate({study, plan, false, infer::round_fit(study)}, ledger, entropy, measure);
  return release::parse_document(release::to_document(made));
}

void judge(const std::vector<Fact>& facts, Answer& out) {
  double asked = 0;
  double plain = 0;
  std::vector<double> counts(3);
  std::vector<double> widths;
  out.bins.assign(3, 0);
  for (const Fact& fact : facts) {
    if (fact.size) {
      const std::size_t bin = *fact.size < 1 ? 0 : *fact.size < 3 ? 1 : 2;
      counts[bin] += 1;
      out.bins[bin] += fact.held() ? 1 : 0;
    }
    if (!fact.asked()) continue;
    asked += 1;
    out.held += fact.held() ? 1 : 0;
    widths.push_back((fact.upper - fact.lower) / fact.unit);
    if (!fact.plain()) continue;
    plain += 1;
    out.plain_held += fact.plain_held() ? 1 : 0;
    out.compared += fact.held() ? 1 : 0;
  }
  for (std::size_t bin = 0; bin < 3; ++bin)
    out.bins[bin] = counts[bin] > 0 ? out.bins[bin] / counts[bin] : -1;
  if (asked > 0) out.held /= asked;
  out.has_plain = plain > 0;
  if (plain > 0) out.plain_held /= plain;
  if (plain > 0) out.compared /= plain;
  std::sort(widths.begin(), widths.end());
  if (!widths.empty()) out.width = widths[widths.size() / 2];
}

Answer answer(const HonestCase& one, const release::Release& release, std::size_t n, Prior prior,
              const RunOptions& options) {
  Answer out;
  infer::InferOptions ask;
  ask.threads = 1;
  ask.draws = one.chain_draws;
  ask.seed = options.seed;
  const double start = cpu_seconds();
  try {
    const Limit limit(options.time_limit);
    infer::AnalysisRequest request;
    if (prior == Prior::learned) request.prior = "learned";
    const infer::Posterior posterior =
        infer::analyse(std::span(&release, 1), request, ask, {limit.token(), {}});
    out.seconds = cpu_seconds() - start;
    for (const Warning& warning : posterior.warnings) out.warned.push_back(warning.name);
    out.engine = posterior.engine;
    const std::vector<Fact> facts = one.facts(release, posterior, n);
    judge(facts, out);
    for (std::size_t i = 0; options.facts && i < facts.size(); ++i) {
      std::printf("fact %zu prior %d truth %g in [%g, %g]%s size %g\n", i, static_cast<int>(prior),
                  facts[i].truth, facts[i].lower, facts[i].upper, facts[i].held() ? "" : " MISSED",
                  facts[i].size.value_or(-1));
    }
    for (const Warning& warning : posterior.warnings)
      if (options.facts) std::printf("warning %s: %s\n", warning.name.c_str(), warning.text.c_str());
  } catch (const Error& error) {
    out.seconds = cpu_seconds() - start;
    out.refused = std::string(error_name(error.code()));
    if (error.code() == ErrorCode::interrupted) out.refused = "time";
    if (prior == Prior::learned && error.code() == ErrorCode::bad_prior) out.refused = "not-yet";
    if (options.facts) std::printf("refused: %s\n", error.what());
  }
  return out;
}

}  // namespace

Round run_round(const HonestCase& one, std::size_t number, const RunOptions& options) {
  Rng rng(options.seed, static_cast<std::uint32_t>(number), Purpose::test);
  const Records records = options.truth == Truth::samples ? one.sample(rng) : one.population;
  const release::Release release = make_release(one, records, number, options);
  Round out;
  for (const Prior prior : options.priors)
    out.answers.push_back(answer(one, release, records.rows.size(), prior, options));
  return out;
}

}  // namespace postern::honesty
