#include "tables_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "postern/core/draw.hpp"
#include "postern/infer/chains/driver.hpp"
#include "postern/infer/network/plug_in.hpp"
#include "postern/infer/network/tables_chain.hpp"

namespace postern::infer {
namespace {

/// Records that are refreshed, per move of a contrast, on average: blocks are the rarer the larger they are.
constexpr double kRefreshed = 0.1;
/// Tries to shift levels in a row, per independent line of rows.
constexpr double kShifted = 0.5;

}  // namespace

static_assert(Kernel<TablesKernel>);

TablesKernel::TablesKernel(const NetworkTarget& target)
    : target_(&target),
      start_(target),
      contrasts_(target.tables(), target.sums(), plug_in_total(target.problem())),
      records_(target),
      shifts_(target),
      parameters_(target) {
  records_.use_plug_in(start_.below());
  find_others();
  if (const auto& learned = target.problem().learned; learned && learned->cut_centres)
    margins_ = MarginCentres(target.problem());
  if (!target.latent()) return;
  if (cuts_total(target.problem())) total_ = NetworkTotal::make(target.problem());
  if (total_) return;
  copies_ = std::max<std::size_t>(8, contrasts_.moves() / 4);
  resizings_ = 4;
}

void TablesKernel::find_others() {
  std::map<std::uint32_t, std::uint32_t> core;
  for (const NetworkTarget::Family& family : target_->families())
    core[target_->original(family.variable)] = family.variable;
  for (const NoisyMargin& table : target_->problem().tables) {
    std::vector<std::uint32_t> variables;
    for (const std::uint32_t v : table.variables) variables.push_back(core.at(v));
    const std::vector<std::size_t> own = target_->tables().places(variables);
    others_.insert(others_.end(), own.begin(), own.end());
  }
}

void TablesKernel::latents(const State& state, std::span<double> out, Rng& /*rng*/) const {
  Rng rng(state.reading, 0, Purpose::draws);  // the leaves' counts are those of `read`
  std::vector<double> theta(quantities());
  const NetworkSums& sums = target_->sums();
  sums.read_coefficients(state.tables.counts, target_->tables().total(), out.last(sums.coefficients()));
  out = out.first(out.size() - sums.coefficients());
  parameters_.draw(state.tables, theta, rng, out.first(out.size() - others_.size()));
  auto at = out.end() - static_cast<std::ptrdiff_t>(others_.size());
  for (const std::size_t cell : others_) *at++ = static_cast<double>(state.tables.counts[cell]);
}

TablesKernel::State TablesKernel::init(Rng& rng) const {
  const LatentTables& tables = target_->tables();
  State state{{},
              records_.init(),
              shifts_.init(),
              {},
              {},
              0,
              CountLine(std::max(contrasts_.changes(), tables.tables().size())),
              0,
              0};
  state.tables.counts.assign(tables.cells() + target_->sums().size(), 0);
  start_.draw(state.tables.counts, rng);
  target_->sums().fill(tables, state.tables.counts);
  const auto n = static_cast<double>(state.tables.counts[tables.total()]);
  contrasts_.prepare(state.tables, 1 + std::sqrt(n / static_cast<double>(tables.cells())));
  state.tables.shifts = target_->shifts();
  if (total_) {
    state.place_of_n = draw_normal(rng);
    records_.set_total(state.tables, total_->at(state.place_of_n), rng);
  }
  if (!target_->row_priors().none()) {
    state.line.learn(target_->learned());
    if (margins_) state.margins = margins_->begin(state.tables.counts[tables.total()], rng);
    target_->row_priors().begin(state.tables.counts, state.priors, state.tables.shifts, rng);
  }
  state.reading = rng();
  return state;
}

/// What is learned of the rows' prior, given the counts; where centres are cut, these given the margins
/// alone.
void TablesKernel::learn(State& state, Rng& rng) const {
  const RowPriors& priors = target_->row_priors();
  if (margins_) {
    margins_->update(state.tables.counts[target_->tables().total()], state.margins, rng);
    std::vector<double> centre;
    for (std::size_t f = 0; f < priors.families().size(); ++f) {
      const LearnedFamily& family = priors.families()[f];
      if (!family.centre.empty() || !margins_->has(family.variable)) continue;
      centre.resize(family.levels);
      margins_->draw(family.variable, state.margins, centre, rng);
      priors.give_centre(f, centre, state.priors);
    }
  }
  priors.update(state.tables.counts, state.priors, state.tables.shifts, rng);
}

TablesKernel::Info TablesKernel::step(State& state, Rng& rng) const {
  state.tables.tuning = state.steps < kTuning;
  if (!target_->row_priors().none()) learn(state, rng);
  if (total_) {
    state.place_of_n = NetworkTotal::next(state.place_of_n, rng);
    records_.set_total(state.tables, total_->at(state.place_of_n), rng);
  }
  contrasts_.sweep(target_->potentials(), state.tables, state.line, rng);
  const double blocks =
      kRefreshed * static_cast<double>(contrasts_.moves()) * std::exp(-state.records.log_block);
  for (auto i = static_cast<int>(blocks + rng.uniform()); i > 0; --i)
    records_.refresh(state.tables, state.records, rng);
  // Shifts do not carry sums along; contrasts alone reach every state.
  const double shifts = target_->sums().size() > 0 ? 0 : kShifted * static_cast<double>(shifts_.lines());
  for (auto i = static_cast<std::size_t>(shifts + (shifts > 0 ? rng.uniform() : 0)); i > 0; --i)
    shifts_.shift(state.tables, state.shifts, rng);
  for (std::size_t i = 0; i < copies_; ++i) records_.copy(state.tables, state.records, state.line, rng);
  for (std::size_t i = 0; i < resizings_; ++i) records_.resize(state.tables, state.records, rng);
  state.reading = rng();
  state.steps = std::min(state.steps + 1, kTuning);
  return {};
}

std::size_t TablesKernel::quantities() const { return network_quantities(target_->problem()); }

void TablesKernel::read(const State& state, std::span<double> out) const {
  Rng rng(state.reading, 0, Purpose::draws);
  parameters_.draw(state.tables, out, rng);
  const std::vector<std::variant<KnownTotal, LatentTotal>>& sets = target_->problem().sets;
  for (std::size_t k = sets.size(), q = out.size(); k-- > 0;) {
    if (std::holds_alternative<LatentTotal>(sets[k]))
      out[--q] = static_cast<double>(state.tables.counts[target_->sets()[k]]);
  }
  if (target_->latent() && sets.empty())
    out[out.size() - 1] = static_cast<double>(state.tables.counts[target_->tables().total()]);
}

}  // namespace postern::infer
