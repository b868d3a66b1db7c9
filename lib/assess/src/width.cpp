#include "postern/assess/width.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>

#include "postern/assess/simulate.hpp"
#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"

#include "width_number.hpp"
#include "width_vector.hpp"

namespace postern::assess {
namespace {

constexpr double kLow = 0.05;
constexpr double kHigh = 0.95;

double beta_width(double a, double b) { return beta_quantile(a, b, kHigh) - beta_quantile(a, b, kLow); }

/// One Dirichlet parameter a cell, in the order of the model's cells.
std::vector<double> prior_of(const model::Model& model) {
  if (const auto* bernoulli = std::get_if<model::Bernoulli>(&model)) {
    std::vector<double> alpha(2, bernoulli->b.get_d());
    alpha[bernoulli->success] = bernoulli->a.get_d();
    return alpha;
  }
  std::vector<double> alpha;
  for (const Rational& a : std::get<model::Categorical>(model).alpha) alpha.push_back(a.get_d());
  return alpha;
}

/// The cells whose probabilities people read: the success of a bernoulli, the first cells of a table.
std::vector<std::size_t> shown_cells(const model::Model& model, std::size_t most) {
  if (const auto* bernoulli = std::get_if<model::Bernoulli>(&model)) return {bernoulli->success};
  std::vector<std::size_t> cells(std::min(most, std::get<model::Categorical>(model).alpha.size()));
  std::iota(cells.begin(), cells.end(), std::size_t{0});
  return cells;
}

std::string cell_label(const model::Study& study, std::size_t cell) {
  const auto* bernoulli = std::get_if<model::Bernoulli>(&study.model);
  const std::vector<std::string> columns = bernoulli != nullptr
                                               ? std::vector<std::string>{bernoulli->column}
                                               : std::get<model::Categorical>(study.model).columns;
  const std::vector<std::uint32_t> levels = study.schema.domain(columns).levels_of(cell);
  std::string inside;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    inside += (i == 0 ? "" : ", ") + columns[i] + " = " + study.schema.at(columns[i]).label(levels[i]);
  }
  return "P(" + inside + ")";
}

/// The inference problem that a release with these values poses.
infer::CountProblem problem_of(const release::Release& release) {
  infer::CountProblem problem;
  problem.alpha = prior_of(release.study.model);
  problem.sights.resize(problem.alpha.size());
  for (const release::MeasuredBlock& measured : release.blocks) {
    const release::NoiseLaw law = release::noise_law(measured.block.noise);
    const auto* level = std::get_if<model::LevelCount>(&measured.block.statistic);
    for (std::size_t i = 0; i < measured.values.size(); ++i) {
      problem.sights[level != nullptr ? level->level : i].push_back(
          {static_cast<double>(measured.values[i]), law});
    }
  }
  if (const auto* known = std::get_if<release::PublicCount>(&release.n)) {
    problem.total = infer::KnownTotal{known->value};
  } else {
    problem.total = infer::LatentTotal{std::get<release::PrivateCount>(release.n).at_most, {}};
  }
  return problem;
}

OneStudy widths_of(const SimulatedStudy& made, const std::vector<std::size_t>& cells, bool with_n) {
  const std::vector<double> alpha = prior_of(made.release.study.model);
  const double total = std::accumulate(alpha.begin(), alpha.end(), 0.0) + static_cast<double>(made.n);
  const infer::CountPosterior posterior(problem_of(made.release), std::size_t{2} << 30, 1);
  OneStudy out;
  for (const std::size_t cell : cells) {
    const double a = alpha[cell] + static_cast<double>(made.counts[cell]);
    out.without_noise.push_back(beta_width(a, total - a));
    out.expected.push_back(posterior.quantile(cell, kHigh) - posterior.quantile(cell, kLow));
  }
  if (with_n) {
    out.without_noise.push_back(0);
    out.expected.push_back(posterior.total_quantile(kHigh) - posterior.total_quantile(kLow));
  }
  return out;
}

std::vector<WidthRow> blank_rows(const model::Study& study, const std::vector<std::size_t>& cells,
                                 bool with_n) {
  const std::vector<double> alpha = prior_of(study.model);
  const double total = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  std::vector<WidthRow> rows;
  for (const std::size_t cell : cells) {
    rows.push_back({cell_label(study, cell), beta_width(alpha[cell], total - alpha[cell]), 0, 0});
  }
  if (with_n)
    rows.push_back(
        {"number of records", (kHigh - kLow) * static_cast<double>(*study.privacy.n_at_most), 0, 0});
  return rows;
}

}  // namespace

bool ExpectedWidth::close_to_prior() const {
  return std::all_of(rows.begin(), rows.end(),
                     [](const WidthRow& row) { return row.expected > 0.8 * row.prior; });
}

ExpectedWidth expected_width(const model::Study& study, const model::NoisePlan& plan,
                             const WidthOptions& options, const Conversation& conversation) {
  if (options.draws == 0)
    throw Error(ErrorCode::usage, {"an expected width needs at least one simulated study"});
  const bool with_n = study.privacy.adjacency == model::Adjacency::add_remove;
  const bool number = std::holds_alternative<model::Number>(study.model);
  const bool vector = std::holds_alternative<model::MultivariateNormal>(study.model);
  const std::vector<std::size_t> cells =
      number || vector ? std::vector<std::size_t>() : shown_cells(study.model, options.most_rows);
  std::vector<OneStudy> studies(options.draws);
  std::atomic<std::size_t> done = 0;
  std::mutex talking;
  parallel_for(options.draws, options.threads, [&](std::size_t i) {
    conversation.check();
    Rng rng(options.seed, static_cast<std::uint32_t>(i), Purpose::plan);
    const SimulatedStudy made = simulate_study(study, plan, options.n, rng);
    studies[i] = number   ? number_widths(made, rng)
                 : vector ? vector_widths(made, rng)
                          : widths_of(made, cells, with_n);
    const std::size_t finished = ++done;
    const std::lock_guard lock(talking);
    conversation.report("simulating studies",
                        static_cast<double>(finished) / static_cast<double>(options.draws));
  });
  ExpectedWidth out;
  out.draws = options.draws;
  out.rows = number   ? blank_number_rows(study)
             : vector ? blank_vector_rows(study)
                      : blank_rows(study, cells, with_n);
  const auto count = static_cast<double>(options.draws);
  for (const OneStudy& one : studies) {
    for (std::size_t j = 0; j < out.rows.size(); ++j) {
      out.rows[j].without_noise += one.without_noise[j] / count;
      out.rows[j].expected += one.expected[j] / count;
    }
  }
  return out;
}

infer::CountForecast forecast_posterior(const model::Study& study, const model::NoisePlan& plan,
                                        std::optional<std::int64_t> n) {
  if (const auto* number = std::get_if<model::Number>(&study.model)) {
    // Its engines keep the levels of the column and some thousand nodes of a grid.
    return {64.0 * study.schema.at(number->column).levels() + 1e6, 0};
  }
  if (const auto* vector = std::get_if<model::MultivariateNormal>(&study.model))
    return {vector_bytes(*vector, study, n), 0};
  const bool hidden = study.privacy.adjacency == model::Adjacency::add_remove;
  const std::int64_t size = n ? *n : hidden ? *study.privacy.n_at_most / 2 : 0;
  const std::vector<double> alpha = prior_of(study.model);
  const double total = std::accumulate(alpha.begin(), alpha.end(), 0.0);
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
      const double share = alpha[level != nullptr ? level->level : i] / total;
      measured.values[i] = static_cast<Int128>(share * static_cast<double>(size));
    }
    release.blocks.push_back(std::move(measured));
  }
  return infer::CountPosterior::forecast(problem_of(release));
}

}  // namespace postern::assess
