#include "postern/assess/width.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>

#include "postern/assess/simulate.hpp"
#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/count_model.hpp"
#include "postern/infer/exact/count_posterior.hpp"

#include "width_number.hpp"
#include "width_vector.hpp"

namespace postern::assess {
namespace {

constexpr double kLow = 0.05;
constexpr double kHigh = 0.95;

double beta_width(double a, double b) { return beta_quantile(a, b, kHigh) - beta_quantile(a, b, kLow); }

/// The quantities that people read, no more than `most` of them.
std::vector<infer::CellQuantity> shown_quantities(const infer::CountModel& model, std::size_t most) {
  std::vector<infer::CellQuantity> shown = model.quantities;
  if (shown.size() > most) shown.resize(most);
  return shown;
}

/// A table's widths, exactly.
class TableWidths {
 public:
  TableWidths(const model::Study& study, std::size_t most_rows)
      : model_(infer::make_count_model(study, {})), shown_(shown_quantities(model_, most_rows)) {}

  [[nodiscard]] std::vector<WidthRow> blank_rows(const model::Study& study) const {
    std::vector<WidthRow> rows;
    for (const infer::CellQuantity& one : shown_) {
      const double a = model_.alpha[one.cell];
      rows.push_back({one.label, beta_width(a, total() - a), 0, 0});
    }
    if (study.privacy.n_at_most)
      rows.push_back({"number of records", (kHigh - kLow) * static_cast<double>(*study.privacy.n_at_most), 0,
                      0, WidthRow::Kind::total});
    return rows;
  }

  [[nodiscard]] OneStudy of(const SimulatedStudy& made) const {
    const infer::CountPosterior posterior(infer::make_count_problem(model_, {&made.release}),
                                          infer::InferOptions{}.memory_limit, 1);
    OneStudy out;
    for (const infer::CellQuantity& one : shown_) {
      const double a = model_.alpha[one.cell] + static_cast<double>(made.counts[one.cell]);
      out.without_noise.push_back(beta_width(a, total() + static_cast<double>(made.n) - a));
      out.expected.push_back(posterior.quantile(one.cell, kHigh) - posterior.quantile(one.cell, kLow));
    }
    if (std::holds_alternative<release::PrivateCount>(made.release.n)) {
      out.without_noise.push_back(0);
      out.expected.push_back(posterior.total_quantile(kHigh) - posterior.total_quantile(kLow));
    }
    return out;
  }

 private:
  [[nodiscard]] double total() const {
    return std::accumulate(model_.alpha.begin(), model_.alpha.end(), 0.0);
  }

  infer::CountModel model_;
  std::vector<infer::CellQuantity> shown_;
};

/// What the exact engine would need, judged at the prior's mean.
double table_bytes(const model::Study& study, const model::NoisePlan& plan, std::optional<std::int64_t> n) {
  const infer::CountModel model = infer::make_count_model(study, {});
  const bool hidden = study.privacy.adjacency == model::Adjacency::add_remove;
  const std::int64_t size = n ? *n : hidden ? *study.privacy.n_at_most / 2 : 0;
  const double total = std::accumulate(model.alpha.begin(), model.alpha.end(), 0.0);
  release::Release release;
  release.study = study;
  if (hidden) {
    release.n = release::PrivateCount{*study.privacy.n_at_most};
  } else {
    release.n = release::PublicCount{size};
  }
  for (const model::Block& block : plan.measurement.blocks) {
    release::MeasuredBlock measured{block, std::vector<Int128>(block.size)};
    const auto* level = std::get_if<model::LevelCount>(&block.statistic);
    for (std::size_t i = 0; i < block.size; ++i) {
      const double share = model.alpha[level != nullptr ? level->level : i] / total;
      measured.values[i] = static_cast<Int128>(share * static_cast<double>(size));
    }
    release.blocks.push_back(std::move(measured));
  }
  return infer::CountPosterior::forecast(infer::make_count_problem(model, {&release})).bytes;
}

/// The widths of one simulated study, and rows that wait for them.
struct Widths {
  std::function<std::vector<WidthRow>()> blank;
  std::function<OneStudy(const SimulatedStudy&, Rng&, const std::stop_token&)> of;
};

Widths widths_for(const model::Study& study, std::size_t most_rows) {
  if (std::holds_alternative<model::Number>(study.model))
    return {[&] { return blank_number_rows(study); }, number_widths};
  if (std::holds_alternative<model::MultivariateNormal>(study.model))
    return {[&] { return blank_vector_rows(study); }, vector_widths};
  const auto table = std::make_shared<const TableWidths>(study, most_rows);
  return {[&study, table] { return table->blank_rows(study); },
          [table](const SimulatedStudy& made, Rng& /*rng*/, const std::stop_token& /*stop*/) {
            return table->of(made);
          }};
}

/// How many studies fit into the time given, the first of them simulated already.
std::size_t affordable(double seconds_each, const WidthOptions& options) {
  const double cores = options.threads > 0 ? options.threads : default_threads();
  const double more = (options.seconds - seconds_each) * cores / std::max(1e-6, seconds_each);
  return 1 + static_cast<std::size_t>(std::clamp(more, 0.0, static_cast<double>(options.draws - 1)));
}

}  // namespace

bool ExpectedWidth::close_to_prior() const {
  return std::all_of(rows.begin(), rows.end(), [](const WidthRow& row) {
    return row.kind == WidthRow::Kind::total || row.expected > 0.8 * row.prior;
  });
}

ExpectedWidth expected_width(const model::Study& study, const model::NoisePlan& plan,
                             const WidthOptions& options, const Conversation& conversation) {
  if (options.draws == 0)
    throw Error(ErrorCode::usage, {"an expected width needs at least one simulated study"});
  const Widths widths = widths_for(study, options.most_rows);
  std::vector<OneStudy> studies(options.draws);
  std::vector<double> seconds(options.draws);
  std::atomic<std::size_t> done = 0;
  std::mutex talking;
  const auto simulate = [&](std::size_t i) {
    conversation.check();
    const auto start = std::chrono::steady_clock::now();
    Rng rng(options.seed, static_cast<std::uint32_t>(i), Purpose::plan);
    studies[i] = widths.of(simulate_study(study, plan, options.n, rng), rng, conversation.stop);
    seconds[i] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::size_t finished = ++done;
    const std::lock_guard lock(talking);
    conversation.report("simulating studies",
                        static_cast<double>(finished) / static_cast<double>(studies.size()));
  };
  if (std::isfinite(options.seconds)) {
    conversation.report("simulating a first study", 0);
    simulate(0);
    studies.resize(affordable(seconds.front(), options));
    seconds.resize(studies.size());
  }
  const std::size_t first = done;
  parallel_for(studies.size() - first, options.threads, [&](std::size_t i) { simulate(first + i); });
  ExpectedWidth out;
  out.draws = studies.size();
  out.rows = widths.blank();
  const auto count = static_cast<double>(studies.size());
  out.seconds = std::accumulate(seconds.begin(), seconds.end(), 0.0) / count;
  for (const OneStudy& one : studies) {
    for (std::size_t j = 0; j < out.rows.size(); ++j) {
      out.rows[j].without_noise += one.without_noise[j] / count;
      out.rows[j].expected += one.expected[j] / count;
    }
  }
  return out;
}

double posterior_bytes(const model::Study& study, const model::NoisePlan& plan,
                       std::optional<std::int64_t> n) {
  if (const auto* number = std::get_if<model::Number>(&study.model)) return number_bytes(*number, study, n);
  if (const auto* vector = std::get_if<model::MultivariateNormal>(&study.model))
    return vector_bytes(*vector, study, n);
  return table_bytes(study, plan, n);
}

}  // namespace postern::assess
