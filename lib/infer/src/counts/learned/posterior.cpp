#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/counts/learned_table.hpp"
#include "postern/infer/noise/published_values.hpp"

#include "cut.hpp"
#include "forecast.hpp"
#include "noise_sum.hpp"
#include "tree.hpp"

namespace postern::infer {
namespace {

constexpr double kNats = 60;  ///< of what is seen of a cell, at first
constexpr double kMostNats = 200;
constexpr double kExact = 1e-10;               ///< share of a weight that may be left out of evidence
constexpr double kDrawn = 1e-7;                ///< and of laws that some thousand draws are taken from
constexpr std::uint32_t kStream = 0x4c000000;  ///< of the first set; draws of other engines count from 0

[[noreturn]] void refuse_contradiction() {
  throw Error(ErrorCode::engine_limit,
              {"the released values contradict each other or n too deeply for double "
               "precision; check the releases"});
}

/// Facts and plan with which a tree for a window of totals is right.
struct Settled {
  Settled(const LearnedTable& table, const Centres& centres, Window totals, double least, int threads,
          Rng& rng) {
    for (const double nats : {kNats, kMostNats}) {
      facts = std::make_unique<TableFacts>(table, nats, least);
      plan = first_tree_plan(*facts);
      const LearnedTree tree = settled_tree(*facts, centres, plan, totals, threads, rng);
      possible = tree.top().message().log_scale > -1e300;
      work = tree.work();
      if (possible && !tree.cramped_cells()) return;
    }
    // Wider windows than the last gain nothing: only tails of tails may reach beyond them.
    if (!possible) refuse_contradiction();
  }
  bool possible = false;
  double work = 0;  ///< of the last tree, without what the next ones skip
  std::unique_ptr<TableFacts> facts;
  TreePlan plan;
};

}  // namespace

LearnedCut cut_of(const LearnedTable& table) {
  const bool totals = !layers_of(table.noisy_values).empty();
  return {!table.n && totals, table.sizes.size() > 1};
}

struct LearnedCounts::Tree {
  Tree(const LearnedTable& table, Centres given, std::int64_t lo, std::int64_t hi, int threads)
      : centres(std::move(given)),
        rng(1, kStream, Purpose::draws),
        settled(table, centres, {lo, hi}, kExact, threads, rng),
        tree(*settled.facts, centres, settled.plan, {lo, hi}, threads) {}
  Centres centres;
  Rng rng;
  Settled settled;
  LearnedTree tree;
};

LearnedCounts::LearnedCounts(const LearnedTable& table, const Centres& centres, std::int64_t lo,
                             std::int64_t hi, int threads)
    : tree_(std::make_unique<Tree>(table, centres, lo, hi, threads)) {}
LearnedCounts::LearnedCounts(LearnedCounts&&) noexcept = default;
LearnedCounts::~LearnedCounts() = default;
double LearnedCounts::log_evidence(std::int64_t n) const { return tree_->tree.top().log_message(n); }
void LearnedCounts::draw(LearnedDraw& out, Rng& rng) const {
  if (!tree_->tree.draw(out, rng)) refuse_contradiction();
}

struct LearnedPosterior::State {
  State(LearnedTable given, const Options& chosen);

  LearnedTable table;
  Options options;
  LearnedCut cut;
  std::optional<CutTotal> total;
  std::vector<ColumnMargin> margins;  ///< of each column but the first
  std::unique_ptr<Settled> settled;
  std::size_t sets = kMostSets;

  [[nodiscard]] Window totals() const {
    if (table.n) return {*table.n, *table.n};
    return total ? total->window() : rough_totals(table);
  }
  [[nodiscard]] std::optional<std::int64_t> middle() const {
    if (table.n) return table.n;
    return total ? std::optional(total->quantile(0.5)) : std::nullopt;
  }
  [[nodiscard]] Centres draw_centres(std::optional<std::int64_t> n, Rng& rng) const {
    Centres out = even_centres(table);
    for (std::size_t j = 1; j < out.size(); ++j) out[j] = margins[j - 1].draw(n, rng);
    return out;
  }
  using Take = std::function<void(std::size_t, std::size_t, const LearnedDraw&)>;
  /// A draw that is to be made: its place among all, and its n where that is drawn before.
  struct Wanted {
    std::size_t place = 0;
    std::int64_t n = 0;
  };
  void draw_set(std::size_t set, const std::vector<std::size_t>& places, const Take& take) const;
  void draw_group(std::span<const Wanted> wanted, bool given, const Centres& centres, Rng& rng,
                  const std::function<void(std::size_t, const LearnedDraw&)>& take) const;
  [[nodiscard]] std::optional<LearnedTree> tree_for(std::span<const Wanted> wanted, bool given, Window window,
                                                    const Centres& centres, Rng& rng) const;
  [[nodiscard]] std::vector<std::int64_t> totals_of(std::size_t set, std::size_t draws, Rng& rng) const;
};

LearnedPosterior::State::State(LearnedTable given, const Options& chosen)
    : table(std::move(given)), options(chosen), cut(cut_of(table)) {
  if (cut.n) total.emplace(table);
  for (std::size_t j = 1; j < table.sizes.size(); ++j) margins.emplace_back(table, j, totals());
  Rng rng(options.seed, kStream - 1, Purpose::draws);
  // Plans are made around mean centres, in the middle of what is known of n.
  constexpr int kAveraged = 16;
  Centres centres = draw_centres(middle(), rng);
  for (int i = 1; i < kAveraged; ++i) {
    const Centres more = draw_centres(middle(), rng);
    for (std::size_t j = 1; j < centres.size(); ++j)
      std::transform(centres[j].begin(), centres[j].end(), more[j].begin(), centres[j].begin(),
                     std::plus<>());
  }
  for (std::size_t j = 1; j < centres.size(); ++j) {
    for (double& x : centres[j]) x /= kAveraged;
  }
  const std::optional<std::int64_t> n = middle();
  const Window window = n ? Window{*n, *n} : totals();
  settled = std::make_unique<Settled>(table, centres, window, kDrawn, options.threads, rng);
  constexpr double kMoved = 3;  // trees for other totals than the plan is for cost so many times more
  if (cut.centres || cut.n) sets = sets_within(settled->work * (table.n ? 1 : kMoved));
}

/// One n a draw, each in a stratum of its own set; none where n is drawn with the counts.
std::vector<std::int64_t> LearnedPosterior::State::totals_of(std::size_t set, std::size_t draws,
                                                             Rng& rng) const {
  std::vector<std::int64_t> out;
  if (!table.n && !total) return out;
  for (std::size_t i = 0; i < draws; ++i) {
    const double p = (static_cast<double>(set) + rng.uniform()) / static_cast<double>(sets);
    out.push_back(table.n ? *table.n : total->quantile(p));
  }
  return out;
}

namespace {

/// A row's sum from its message.
std::int64_t draw_sum(const LearnedTree& tree, Rng& rng) {
  const Message& sums = tree.top().message().message;
  double left = rng.uniform() * std::accumulate(sums.weight.begin(), sums.weight.end(), 0.0);
  for (std::size_t i = 0; i < sums.weight.size(); ++i) {
    left -= sums.weight[i];
    if (left <= 0) return sums.lo + static_cast<std::int64_t>(i);
  }
  return sums.window().hi;
}

/// Around a plan for other totals: ranges of rows are widened until they hold what matters.
LearnedTree widened_tree(const TableFacts& facts, const Centres& centres, TreePlan& plan, Window totals) {
  constexpr int kMost = 6;
  for (int attempt = 0;; ++attempt) {
    LearnedTree tree(facts, centres, plan, totals, 1);
    if (attempt == kMost || !tree.widen(plan)) return tree;
  }
}

template <class Wanted>
bool sound(const LearnedTree& tree, std::span<const Wanted> wanted, bool given) {
  if (!(tree.top().message().log_scale > -1e300)) return false;
  return !given || std::all_of(wanted.begin(), wanted.end(),
                               [&](const Wanted& one) { return tree.top().log_message(one.n) > -1e300; });
}

}  // namespace

void LearnedPosterior::State::draw_set(std::size_t set, const std::vector<std::size_t>& places,
                                       const Take& take) const {
  Rng rng(options.seed, kStream + static_cast<std::uint32_t>(set), Purpose::draws);
  const std::vector<std::int64_t> n = totals_of(set, places.size(), rng);
  std::optional<std::int64_t> about;
  if (!n.empty()) about = n[n.size() / 2];
  const Centres centres = draw_centres(about, rng);
  std::vector<Wanted> wanted;
  for (std::size_t i = 0; i < places.size(); ++i) wanted.push_back({places[i], n.empty() ? 0 : n[i]});
  std::sort(wanted.begin(), wanted.end(), [](const Wanted& a, const Wanted& b) { return a.n < b.n; });
  draw_group(wanted, !n.empty(), centres, rng,
             [&](std::size_t place, const LearnedDraw& draw) { take(place, set, draw); });
}

/// Draws whose totals lie so far apart that no tree holds them all take one for each half.
void LearnedPosterior::State::draw_group(
    std::span<const Wanted> wanted, bool given, const Centres& centres, Rng& rng,
    const std::function<void(std::size_t, const LearnedDraw&)>& take) const {
  const Window window = given ? Window{wanted.front().n, wanted.back().n} : totals();
  const std::optional<LearnedTree> tree = tree_for(wanted, given, window, centres, rng);
  if (!tree) {
    if (wanted.front().n == wanted.back().n) refuse_contradiction();
    const std::size_t half = wanted.size() / 2;
    draw_group(wanted.first(half), given, centres, rng, take);
    draw_group(wanted.subspan(half), given, centres, rng, take);
    return;
  }
  LearnedDraw draw;
  for (const Wanted& one : wanted) {
    draw.n = given ? one.n : draw_sum(*tree, rng);
    if (!tree->draw(draw, rng)) refuse_contradiction();
    take(one.place, draw);
  }
}

/// Nothing where some of the totals have no weight.
std::optional<LearnedTree> LearnedPosterior::State::tree_for(std::span<const Wanted> wanted, bool given,
                                                             Window window, const Centres& centres,
                                                             Rng& rng) const {
  TreePlan plan = settled->plan;
  if (given) {
    const std::int64_t about = wanted[wanted.size() / 2].n;
    LearnedRowPlan& top = plan.rows.front().front();
    top.range = window;
    if (about != middle()) {
      top = {static_cast<double>(about), 1, window, {}, {}};
      if (middle()) shift_plan(plan, about, settled->facts->at_most);
    }
  }
  std::optional<LearnedTree> tree(widened_tree(*settled->facts, centres, plan, window));
  if (sound(*tree, wanted, given)) return tree;
  tree.reset();
  for (std::vector<LearnedRowPlan>& rows : plan.rows) {
    for (LearnedRowPlan& row : rows) row = {row.target, row.variance, row.range, {}, {}};
  }
  tree.emplace(settled_tree(*settled->facts, centres, plan, window, 1, rng));
  if (!sound(*tree, wanted, given)) tree.reset();
  return tree;
}

LearnedPosterior::LearnedPosterior(LearnedTable table, const Options& options)
    : state_(std::make_unique<State>(std::move(table), options)) {}
LearnedPosterior::LearnedPosterior(LearnedPosterior&&) noexcept = default;
LearnedPosterior::~LearnedPosterior() = default;

std::size_t LearnedPosterior::sets() const { return state_->sets; }

void LearnedPosterior::draw_all(const std::function<void(std::size_t, std::size_t, const LearnedDraw&)>& take,
                                const Conversation& conversation) const {
  // Sets are dealt out in rounds, each in an order of its own, so that any stretch of draws has them all.
  std::vector<std::vector<std::size_t>> places(state_->sets);
  Rng rng(state_->options.seed, kStream - 2, Purpose::draws);
  std::vector<std::size_t> order(state_->sets);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i < state_->options.draws; ++i) {
    if (i % state_->sets == 0) {
      for (std::size_t k = state_->sets; k-- > 1;)
        std::swap(order[k], order[static_cast<std::size_t>(draw_below(k + 1, rng))]);
    }
    places[order[i % state_->sets]].push_back(i);
  }
  parallel_for(state_->sets, state_->options.threads, [&](std::size_t set) {
    conversation.check();
    if (!places[set].empty()) state_->draw_set(set, places[set], take);
  });
}

std::int64_t LearnedPosterior::draw_n(Rng& rng) const {
  return state_->total ? state_->total->draw(rng) : state_->table.n.value_or(state_->table.at_most);
}
std::vector<double> LearnedPosterior::draw_centre(std::size_t column, std::int64_t n, Rng& rng) const {
  return state_->margins.at(column - 1).draw(n, rng);
}

}  // namespace postern::infer
