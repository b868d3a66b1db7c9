#include "learned.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "postern/core/error.hpp"
#include "postern/infer/chains/watch.hpp"
#include "postern/infer/counts/expected_cells.hpp"
#include "postern/infer/counts/learned_table.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/study.hpp"

#include "kinds/table/latent.hpp"
#include "noise_check/noise_watch.hpp"
#include "posterior/draw_summary.hpp"
#include "posterior/stream_key.hpp"

namespace postern::infer {
namespace {

/// How far the means of sets of centres lie apart.
class SetError {
 public:
  SetError(std::size_t sets, std::size_t quantities)
      : quantities_(quantities), sums_(sets, std::vector<double>(quantities)) {}
  [[nodiscard]] std::size_t sets() const { return sums_.size(); }
  /// From one thread a set.
  void add(std::size_t set, const std::vector<double>& values) {
    for (std::size_t q = 0; q < values.size(); ++q) sums_[set][q] += values[q];
  }
  /// The largest standard error of a mean that drawing so few centres causes, in the quantity's sd.
  [[nodiscard]] double largest(const std::vector<SummaryRow>& rows, std::size_t draws) const {
    const auto sets = static_cast<double>(sums_.size());
    const double each = static_cast<double>(draws) / sets;
    double largest = 0;
    for (std::size_t q = 0; q < quantities_; ++q) {
      const double sd = rows[q].sd;
      if (!(sd > 0)) continue;
      double between = 0;
      for (const std::vector<double>& sum : sums_) {
        const double off = sum[q] / each - rows[q].mean;
        between += off * off / (sets - 1);
      }
      const double of_centres = std::max(0.0, between - sd * sd / each);
      largest = std::max(largest, std::sqrt(of_centres / sets) / sd);
    }
    return largest;
  }

 private:
  std::size_t quantities_;
  std::vector<std::vector<double>> sums_;
};

std::string to_text(double value, const char* format) {
  char buffer[32];
  static_cast<void>(std::snprintf(buffer, sizeof buffer, format, value));
  return buffer;
}

void tell(Posterior& out, const LearnedTable& table, std::size_t sets, double error) {
  const LearnedCut cut = cut_of(table);
  if (cut.n) out.cut.emplace_back("n");
  if (cut.centres) out.cut.emplace_back("centres");
  std::string text = cut.centres
                         ? "the prior is learned: rows of shares lie around their column's margin, each "
                           "as closely as the release says"
                         : "the prior is learned: shares are even, as closely as the release says";
  if (cut.n && cut.centres) {
    text +=
        "; exact given n, which comes from the released total, and given the margins' shares, which come "
        "from each column alone";
  } else if (cut.n) {
    text += "; exact given n, which comes from the released total";
  } else if (cut.centres) {
    text += "; exact given the margins' shares, which come from each column alone";
  }
  out.notes.push_back(std::move(text));
  if (cut.centres && error > 0)
    out.notes.push_back("margins' shares were drawn " + std::to_string(sets) +
                        " times: that moves no posterior mean by more than about " + to_text(error, "%.2f") +
                        " of its sd");
  if (!table.n && !cut.n)
    out.notes.push_back(
        "the released totals are rounded or incomplete, so that n depends on the learned "
        "prior of the cells");
}

/// Where records of small cells went to large ones.
void note_small_cells(Posterior& out, const ExpectedCells& expected) {
  // A note, no warning: it also comes where intervals hold (docs/honesty.md).
  constexpr double kMost = 1.85;
  const std::optional<ExpectedCells::Excess> excess = expected.result();
  if (!excess || excess->sds < kMost) return;
  out.notes.push_back(
      "in the " + to_text(excess->cells, "%.0f") +
      " cells that their rows and columns make likely, the posterior has about " +
      to_text(excess->records, "%.0f") + " records more than were released, about " +
      to_text(excess->sds, "%.1f") +
      " standard deviations of the noise: the learned prior may take the other cells for emptier than "
      "they are, with intervals that are too low. To be safe, merge levels, release the margins by "
      "themselves, or compare with a prior by numbers (--prior 1)");
}

void refuse_large(const LearnedTable& table, const InferOptions& options, std::size_t draws) {
  check_learned_time(table, draws);
  const double bytes = LearnedPosterior::forecast_bytes(table);
  if (bytes <= static_cast<double>(options.memory_limit)) return;
  throw Error(
      ErrorCode::engine_limit,
      {"the exact engine would need about ", public_number(std::llround(std::min(bytes, 1e24) / 1e6)),
       " MB for each set of centres under the learned prior; state a prior by numbers (--prior 1), or "
       "release fewer cells or less noise"});
}

void summarise_learned(Posterior& out, const LearnedTable& table, const SetError& error,
                       const InferOptions& options) {
  const std::size_t draws = out.chains * out.iterations;
  double moved = 0;
  if (options.summarise) {
    for (std::size_t q = 0; q < out.names.size(); ++q)
      out.summary.push_back(summarise_draws(out, q, DrawKind::independent));
    if (draws >= 10 * error.sets()) moved = error.largest(out.summary, draws);
  }
  tell(out, table, error.sets(), moved);
}

}  // namespace

void check_learned_time(const LearnedTable& table, std::size_t draws) {
  constexpr double kMostSeconds = 60;
  const double seconds = LearnedPosterior::forecast_seconds(table, draws);
  if (seconds <= kMostSeconds) return;
  throw Error(ErrorCode::engine_limit,
              {"the learned prior of ", public_number(table.cells()), " cells would take about ",
               public_number(std::llround(std::min(seconds, 1e15) / 10) * 10),
               " CPU seconds; state a prior by numbers (--prior 1), draw less (--draws), or release fewer "
               "columns or levels"});
}

bool learns(const model::Study& study, const InferOptions& options) {
  return !options.prior && study.model.kind().learned_prior(study.model);
}

std::vector<std::uint32_t> table_sizes(const model::Study& study) {
  if (study.model.as<model::Bernoulli>() != nullptr) return {2};
  std::vector<std::uint32_t> out;
  for (const std::string& name : model::columns_of(study.model))
    out.push_back(study.schema.at(name).levels());
  return out;
}

LearnedTable make_learned_table(const model::Study& study, const CountProblem& problem,
                                const InferOptions& options) {
  LearnedTable out;
  out.sizes = table_sizes(study);
  out.noisy_values = problem.noisy_values;
  if (const auto* latent = std::get_if<LatentTotal>(&problem.total)) {
    out.at_most = latent->at_most;
  } else {
    out.n = std::get<KnownTotal>(problem.total).n;
  }
  out.scale = options.prior_scale;
  if (options.public_rows) out.public_rows = std::get<PublicCounts>(*options.public_rows).counts;
  return out;
}

namespace {

/// What the draws say of the release.
void judge(Posterior& out, const std::vector<std::vector<double>>& latent, const ExpectedCells& expected,
           NoiseWatch& watch) {
  for (std::size_t i = 0; i < latent.size(); ++i) {
    if (!latent[i].empty()) watch.see(i / out.iterations, latent[i]);
  }
  watch.tell(out);
  note_small_cells(out, expected);
}

}  // namespace

Posterior infer_learned(const release::RecordSet& set, const CountModel& model, const NamedProblem& group,
                        const InferOptions& options, const Conversation& conversation) {
  Posterior out = start_counts(model, {group}, options);
  const LearnedTable table = make_learned_table(set.front()->study, group.problem, options);
  out.engine = "exact";
  out.reason = "one table of " + std::to_string(table.cells()) + " cells; independent draws, no MCMC";
  const std::size_t draws = out.chains * out.iterations;
  refuse_large(table, options, draws);
  const LearnedPosterior posterior(table, {stream_key(options.seed, out.engine), options.threads, draws});
  ChainProgress progress(conversation, "drawing", draws);
  const std::size_t quantities = model.quantities.size();
  out.draws.assign(out.chains, std::vector<double>(out.names.size() * out.iterations));
  SetError error(posterior.sets(), quantities);
  ExpectedCells expected(table, posterior.sets());
  NoiseWatch watch({set}, out, options);
  std::vector<std::vector<double>> latent(draws);  // of draws that are looked at
  posterior.draw_all(
      [&](std::size_t i, std::size_t at_set, const LearnedDraw& draw) {
        progress.passed();
        std::vector<double>& kept = out.draws[i / out.iterations];
        const std::size_t at = i % out.iterations;
        thread_local std::vector<double> values;
        values.resize(quantities);
        for (std::size_t q = 0; q < quantities; ++q) {
          values[q] = draw.theta[model.quantities[q].cell];
          kept[q * out.iterations + at] = values[q];
        }
        error.add(at_set, values);
        expected.add(at_set, draw.counts);
        if (!table.n) kept[quantities * out.iterations + at] = static_cast<double>(draw.n);
        if (watch.size() == 0 || !watch.wants(at)) return;
        latent[i].resize(watch.size());
        (void)tell_latent(set, draw.counts, latent[i]);
      },
      conversation);
  judge(out, latent, expected, watch);
  summarise_learned(out, table, error, options);
  return out;
}

}  // namespace postern::infer
