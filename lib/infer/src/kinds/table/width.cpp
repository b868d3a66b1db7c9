#include "width.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/counts/learned_table.hpp"
#include "postern/infer/kinds/table/exact/count_posterior.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/table.hpp"

#include "kinds/table/learned.hpp"
#include "posterior/width.hpp"

namespace postern::infer {
namespace {

constexpr double kLow = 0.05;
constexpr double kHigh = 0.95;
constexpr std::size_t kMostLooked = 256;  ///< cells a study, if as few kinds of them do

double beta_width(double a, double b) { return beta_quantile(a, b, kHigh) - beta_quantile(a, b, kLow); }

/// Of a cell's probability under the learned prior, which is much the same for all cells.
double learned_width(const std::vector<std::uint32_t>& sizes) {
  constexpr int kDraws = 2000;
  Rng rng(1, 0, Purpose::plan);
  std::vector<double> drawn;
  for (int i = 0; i < kDraws; ++i) {
    double theta = 1;
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      const double levels = sizes[j];
      if (levels < 2) continue;
      const double centre = j == 0 ? 1 / levels : draw_beta(0.5, 0.5 * (levels - 1), rng);
      const std::vector<double> grid = concentrations(sizes[j], 1);
      const double a = grid[static_cast<std::size_t>(draw_below(grid.size(), rng))];
      theta *= draw_beta(std::max(a * centre, 1e-12), std::max(a * (1 - centre), 1e-12), rng);
    }
    drawn.push_back(theta);
  }
  return width_of(std::move(drawn));
}

}  // namespace

TableWidths::TableWidths(const model::Study& study, const model::Assumed& at)
    : study_(study),
      model_(make_count_model(study, {})),
      total_(std::accumulate(model_.alpha.begin(), model_.alpha.end(), 0.0)) {
  std::map<std::pair<double, double>, std::vector<std::size_t>> kinds;
  for (std::size_t q = 0; q < model_.quantities.size(); ++q) {
    const std::size_t cell = model_.quantities[q].cell;
    const double assumed = at && at->size() == model_.alpha.size() ? (*at)[cell] : 0;
    kinds[{model_.alpha[cell], assumed}].push_back(q);
  }
  entry_.resize(model_.quantities.size());
  const std::size_t most = std::max<std::size_t>(1, kMostLooked / kinds.size());
  for (const auto& [kind, members] : kinds) {
    const std::size_t first = looked_.size();
    const std::size_t few = std::min(most, members.size());
    looked_.insert(looked_.end(), members.begin(), members.begin() + static_cast<std::ptrdiff_t>(few));
    for (std::size_t i = 0; i < members.size(); ++i) entry_[members[i]] = first + i % few;
  }
}

std::vector<PriorWidth> TableWidths::rows() const {
  if (study_.model.kind().learned_prior(study_.model)) return learned_rows();
  std::map<double, double> priors;  // by alpha
  std::vector<PriorWidth> rows;
  for (const CellQuantity& one : model_.quantities) {
    const double a = model_.alpha[one.cell];
    const auto [found, fresh] = priors.try_emplace(a, 0);
    if (fresh) found->second = beta_width(a, total_ - a);
    rows.push_back({one.label, found->second});
  }
  add_total(rows, study_);
  return rows;
}

std::vector<PriorWidth> TableWidths::learned_rows() const {
  const double width = learned_width(table_sizes(study_));
  std::vector<PriorWidth> rows;
  for (const CellQuantity& one : model_.quantities) rows.push_back({one.label, width});
  add_total(rows, study_);
  return rows;
}

/// By draws, against the posterior of the same table without noise.
StudyWidths TableWidths::learned_widths(const MadeUpStudy& made, Rng& rng,
                                        const std::stop_token& stop) const {
  const std::vector<double> widths = posterior_widths(made, rng, stop);
  const std::vector<std::int64_t>& counts = dynamic_cast<const model::SimulatedTable&>(made.records).counts();
  StudyWidths out;
  for (const std::size_t quantity : looked_) {
    const double a = 1 + static_cast<double>(counts[model_.quantities[quantity].cell]);
    const auto cells = static_cast<double>(model_.alpha.size());
    out.without_noise.push_back(beta_width(a, cells + static_cast<double>(made.n) - a));
    out.expected.push_back(widths[quantity]);
  }
  if (std::holds_alternative<release::PrivateCount>(made.release.n)) {
    out.without_noise.push_back(0);
    out.expected.push_back(widths.back());
  }
  return out;
}

StudyWidths TableWidths::of(const MadeUpStudy& made, Rng& rng, const std::stop_token& stop) const {
  if (study_.model.kind().learned_prior(study_.model)) return learned_widths(made, rng, stop);
  const CountPosterior posterior(make_count_problem(model_, {&made.release}), InferOptions{}.memory_limit, 1);
  const std::vector<std::int64_t>& counts = dynamic_cast<const model::SimulatedTable&>(made.records).counts();
  StudyWidths out;
  for (const std::size_t quantity : looked_) {
    const std::size_t cell = model_.quantities[quantity].cell;
    const double a = model_.alpha[cell] + static_cast<double>(counts[cell]);
    out.without_noise.push_back(beta_width(a, total_ + static_cast<double>(made.n) - a));
    out.expected.push_back(posterior.quantile(cell, kHigh) - posterior.quantile(cell, kLow));
  }
  if (std::holds_alternative<release::PrivateCount>(made.release.n)) {
    out.without_noise.push_back(0);
    out.expected.push_back(posterior.total_quantile(kHigh) - posterior.total_quantile(kLow));
  }
  return out;
}

std::size_t TableWidths::entry(std::size_t row) const {
  return row < entry_.size() ? entry_[row] : looked_.size();  // n comes last
}

namespace {

/// The problem that a release poses whose values are at the prior's mean.
CountProblem planned_problem(const model::Study& study, const model::NoisePlan& plan,
                             std::optional<std::int64_t> n) {
  const CountModel model = make_count_model(study, {});
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
    const auto* level = block.statistic.as<model::LevelCount>();
    for (std::size_t i = 0; i < block.size; ++i) {
      const double share = model.alpha[level != nullptr ? level->level : i] / total;
      measured.values[i] = static_cast<Int128>(share * static_cast<double>(size));
    }
    release.blocks.push_back(std::move(measured));
  }
  return make_count_problem(model, {&release});
}

}  // namespace

void check_table_plan(const model::Study& study, const model::NoisePlan& plan,
                      std::optional<std::int64_t> n) {
  if (!learns(study, {})) return;
  const InferOptions options;
  check_learned_time(make_learned_table(study, planned_problem(study, plan, n), options),
                     static_cast<std::size_t>(options.chains) * options.draws);
}

double table_bytes(const model::Study& study, const model::NoisePlan& plan, std::optional<std::int64_t> n) {
  const CountProblem problem = planned_problem(study, plan, n);
  if (learns(study, {})) return LearnedPosterior::forecast_bytes(make_learned_table(study, problem, {}));
  return CountPosterior::forecast(problem).bytes;
}

}  // namespace postern::infer
