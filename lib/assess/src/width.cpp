#include "postern/assess/width.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <numeric>

#include "postern/assess/simulate.hpp"
#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/kind.hpp"
#include "postern/model/plan.hpp"

namespace postern::assess {
namespace {

/// Widths in one simulated study, and the share of its records outside of their columns' range.
struct StudyWidths {
  infer::StudyWidths widths;
  double outside = 0;
};

/// Studies that are begun one after the other, by any thread, as long as there is time.
class Turns {
 public:
  explicit Turns(const WidthOptions& options) : options_(options), start_(options.clock()) {}

  /// The number of the next study and when it begins; nothing once the time is over.
  struct Turn {
    std::size_t study = 0;
    double begins = 0;
  };
  std::optional<Turn> take() {
    const std::lock_guard lock(guard_);
    const double now = options_.clock();
    if (begun_ >= kFewestStudies && now - start_ >= options_.seconds) return std::nullopt;
    return Turn{begun_++, now};
  }
  /// How long it took, and how far everything is.
  void finish(const Turn& turn, const Conversation& conversation) {
    const std::lock_guard lock(guard_);
    const double now = options_.clock();
    spent_ += now - turn.begins;
    ++done_;
    const double share = static_cast<double>(done_) / static_cast<double>(options_.draws);
    conversation.report("simulating studies",
                        std::clamp(std::max(share, (now - start_) / options_.seconds), 0.0, 1.0));
  }
  [[nodiscard]] std::size_t done() const { return done_; }
  [[nodiscard]] double seconds_each() const { return spent_ / static_cast<double>(done_); }

 private:
  const WidthOptions& options_;
  std::mutex guard_;
  double start_ = 0;
  double spent_ = 0;
  std::size_t begun_ = 0;
  std::size_t done_ = 0;
};

/// Between the two values that are nearest.
double quantile(const std::vector<double>& sorted, double p) {
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (place - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

/// One entry of every study, in order.
std::vector<double> sorted_widths(const std::vector<StudyWidths>& studies,
                                  std::vector<double> infer::StudyWidths::*kind, std::size_t entry) {
  std::vector<double> out;
  out.reserve(studies.size());
  for (const StudyWidths& one : studies) out.push_back((one.widths.*kind)[entry]);
  std::sort(out.begin(), out.end());
  return out;
}

/// What a row says of the studies, but for its label and prior.
WidthRow summarise(const std::vector<StudyWidths>& studies, std::size_t entry) {
  WidthRow row;
  const std::vector<double> widths = sorted_widths(studies, &infer::StudyWidths::expected, entry);
  row.q25 = quantile(widths, 0.25);
  row.median = quantile(widths, 0.5);
  row.q75 = quantile(widths, 0.75);
  row.expected = std::accumulate(widths.begin(), widths.end(), 0.0) / static_cast<double>(widths.size());
  row.without_noise = quantile(sorted_widths(studies, &infer::StudyWidths::without_noise, entry), 0.5);
  return row;
}

std::vector<WidthRow> filled_rows(const infer::WidthForecast& forecast,
                                  const std::vector<StudyWidths>& studies) {
  std::vector<WidthRow> summaries;
  for (std::size_t entry = 0; entry < studies.front().widths.expected.size(); ++entry)
    summaries.push_back(summarise(studies, entry));
  std::vector<WidthRow> rows;
  for (infer::PriorWidth& prior : forecast.rows()) {
    WidthRow& row = rows.emplace_back(summaries[forecast.entry(rows.size())]);
    row.label = std::move(prior.label);
    row.prior = prior.width;
    row.kind = prior.is_total ? WidthRow::Kind::total : WidthRow::Kind::parameter;
  }
  return rows;
}

}  // namespace

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool ExpectedWidth::close_to_prior() const {
  return std::all_of(rows.begin(), rows.end(), [](const WidthRow& row) {
    return row.kind == WidthRow::Kind::total || row.median > 0.8 * row.prior;
  });
}

bool ExpectedWidth::ruled_by_the_prior() const {
  constexpr double kFarApart = 10;       // times, from quartile to quartile
  constexpr double kManyOutside = 0.25;  // a column is declared for nearly all of its records
  return outside > kManyOutside || std::any_of(rows.begin(), rows.end(), [](const WidthRow& row) {
           return row.kind == WidthRow::Kind::parameter && row.q75 > kFarApart * row.q25;
         });
}

ExpectedWidth expected_width(const model::Study& study, const model::NoisePlan& plan,
                             const WidthOptions& options, const Conversation& conversation) {
  if (options.draws == 0)
    throw Error(ErrorCode::usage, {"an expected width needs at least one simulated study"});
  const auto forecast = infer::kind_of(study.model).widths(study, options.at);
  std::vector<StudyWidths> studies(options.draws);
  Turns turns(options);
  parallel_for(options.draws, options.threads, [&](std::size_t /*any*/) {
    conversation.check();
    const auto turn = turns.take();
    if (!turn) return;
    Rng rng(options.seed, static_cast<std::uint32_t>(turn->study), Purpose::plan);
    const SimulatedStudy made = simulate_study(study, plan, options.n, options.at, rng);
    StudyWidths& one = studies[turn->study];
    one.widths = forecast->of({*made.records, made.n, made.release}, rng, conversation.stop);
    if (made.n > 0) one.outside = static_cast<double>(made.records->outside()) / static_cast<double>(made.n);
    turns.finish(*turn, conversation);
  });
  studies.resize(turns.done());
  ExpectedWidth out;
  out.draws = studies.size();
  out.seconds = turns.seconds_each();
  out.rows = filled_rows(*forecast, studies);
  std::vector<double> shares;
  for (const StudyWidths& one : studies) shares.push_back(one.outside);
  std::sort(shares.begin(), shares.end());
  out.outside = quantile(shares, 0.5);
  return out;
}

double posterior_bytes(const model::Study& study, const model::NoisePlan& plan,
                       std::optional<std::int64_t> n) {
  return infer::kind_of(study.model).bytes(study, plan, n);
}

}  // namespace postern::assess
