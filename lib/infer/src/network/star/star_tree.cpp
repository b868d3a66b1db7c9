#include "star_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"

#include "profile.hpp"

namespace postern::infer {
namespace {

constexpr double kMostExcess = 600;  ///< nats between numbers of one message; a double holds 700

/// A law as a profile of at most some hundred points.
Profile profile_of(Window window, std::span<const double> log_weights) {
  const std::size_t stride = 1 + window.size() / 512;
  std::vector<Profile::Point> points;
  for (std::size_t i = 0; i < log_weights.size(); i += stride)
    points.push_back({static_cast<double>(window.lo) + static_cast<double>(i), log_weights[i]});
  const auto last = static_cast<double>(window.hi);
  if (points.back().total != last) points.push_back({last, log_weights.back()});
  return Profile(std::move(points));
}

[[noreturn]] void refuse_contradiction() {
  throw Error(
      ErrorCode::engine_limit,
      {"the released tables of the network contradict each other, or n, by more than double precision "
       "can weigh; look at the releases"});
}

}  // namespace

StarTree::StarTree(const StarView& star, const StarPlan& plan, int threads) {
  sum_rows(star, plan, threads);
  sum_classes(star, threads);
}

void StarTree::sum_rows(const StarView& star, const StarPlan& plan, int threads) {
  const std::size_t classes = star.classes();
  const std::size_t leaves = star.leaves.size();
  for (const ClassPlan& one : plan.classes) windows_.push_back(one.window);
  rows_.resize(classes);
  for (auto& rows : rows_) rows.resize(leaves);
  parallel_for(classes * leaves, threads, [&](std::size_t i) {
    const std::size_t c = i / leaves;
    const std::size_t leaf = i % leaves;
    const CptRow row = star.row(leaf, c);
    const ClassPlan& one = plan.classes[c];
    if (!is_seen(row)) return;
    const RowPlan& how = one.rows[leaf];
    rows_[c][leaf].emplace(row, RowMessage::View{one.window, star.most(), one.anchor, how.tilt, plan.nats,
                                                 plan.care, how.bounds});
  });
  log_weights_.resize(classes);
  const NetworkFamily& root = star.root_family();
  for (std::size_t c = 0; c < classes; ++c) {
    const Window window = windows_[c];
    const Cell cell(root.alpha[c], root.noisy_values[c], window.hi);
    std::vector<double>& sum = log_weights_[c];
    sum.reserve(window.size());
    for (std::int64_t n = window.lo; n <= window.hi; ++n) sum.push_back(cell.log_weight(n));
    log_constant_ += cell.log_constant();
    double steepest = 0;
    for (const std::optional<RowMessage>& row : rows_[c]) {
      if (!row) continue;
      const std::span<const double> one = row->log_weights();
      std::transform(sum.begin(), sum.end(), one.begin(), sum.begin(), std::plus<>());
      log_constant_ += row->log_constant();
      steepest += std::abs(row->tree().shape().tilt);
    }
    // Tilts of opposite signs that make up for each other take digits with them.
    if (!(steepest * static_cast<double>(window.size()) * 2e-16 < 1e-9)) refuse_contradiction();
  }
}

void StarTree::sum_classes(const StarView& star, int threads) {
  const NetworkFamily& root = star.root_family();
  const double alpha0 = std::accumulate(root.alpha.begin(), root.alpha.end(), 0.0);
  const TotalWeight total(alpha0, star.problem->total);
  std::vector<Profile> profiles;
  for (std::size_t c = 0; c < windows_.size(); ++c)
    profiles.push_back(profile_of(windows_[c], log_weights_[c]));
  const TotalsPlan totals = plan_totals(profiles, total, kStarDepth);
  if (!(totals.excess < kMostExcess) || !std::isfinite(totals.best.height)) refuse_contradiction();
  SumShape shape;
  shape.tilt = totals.tilt;
  shape.totals = totals.totals;
  shape.care = Care::of_each;
  std::vector<SumLeaf> leaves;
  const auto anchor = static_cast<std::int64_t>(totals.best.total);
  double shift = -static_cast<double>(anchor);
  for (std::size_t c = 0; c < windows_.size(); ++c) {
    const Window window = profiles[c].window(totals, kStarDepth + totals.excess);
    const Profile::Point top = profiles[c].peak(totals.tilt);
    SumLeaf leaf{{window.lo, std::vector<double>(window.size())}, top.value};
    for (std::int64_t n = window.lo; n <= window.hi; ++n) {
      const double log_weight = log_weights_[c][static_cast<std::size_t>(n - windows_[c].lo)];
      leaf.message.weight[static_cast<std::size_t>(n - window.lo)] =
          std::exp(log_weight - top.value + totals.tilt * (static_cast<double>(n) - top.total));
    }
    shift += top.total;
    leaves.push_back(std::move(leaf));
  }
  classes_.emplace(std::move(leaves), std::move(shape), threads);
  weigh_totals(total, totals.tilt, anchor, totals.tilt * shift);
  if (!(mass_ > 0)) return;
  find_laws(root.alpha, alpha0);
  bar_totals();
}

void StarTree::weigh_totals(const TotalWeight& total, double tilt, std::int64_t anchor, double log_shift) {
  log_evidence_ = kMinusInfinity;
  const Window window = intersect(classes_->root().window(), classes_->shape().totals);
  if (window.empty()) return;
  total_weight_ = {window.lo, total.relative(window, tilt, anchor)};
  totals_ = total_weight_;
  for (std::int64_t n = window.lo; n <= window.hi; ++n) {
    double& here = totals_.weight[static_cast<std::size_t>(n - window.lo)];
    here *= classes_->root().at(n);
    mass_ += here;
  }
  if (!(mass_ > 0)) return;
  if (!std::isfinite(mass_)) refuse_contradiction();
  for (double& p : totals_.weight) p /= mass_;
  log_evidence_ = classes_->log_leaf_mass() + total.log_at(static_cast<double>(anchor)) + log_shift +
                  std::log(mass_) + log_constant_;
  if (totals_.weight.size() > 1) draw_total_ = InverseCdf(totals_.weight);
}

namespace {

/// Sum over n of weight(n) outside(n - N), for N in a window.
Message meet(const Message& weight, const Message& outside, Window window) {
  if (weight.weight.size() == 1) {
    Message out{window.lo, std::vector<double>(window.size())};
    for (std::int64_t n = window.lo; n <= window.hi; ++n)
      out.weight[static_cast<std::size_t>(n - window.lo)] = weight.weight[0] * outside.at(weight.lo - n);
    return out;
  }
  const Message mirrored{-outside.window().hi, {outside.weight.rbegin(), outside.weight.rend()}};
  return convolve(weight, mirrored, window, Care::of_each).message;
}

}  // namespace

void StarTree::find_laws(std::span<const double> alpha, double alpha0) {
  laws_.resize(windows_.size());
  Message once = total_weight_;
  for (std::size_t i = 0; i < once.weight.size(); ++i)
    once.weight[i] /= alpha0 + static_cast<double>(once.lo) + static_cast<double>(i);
  Message twice = once;
  for (std::size_t i = 0; i < twice.weight.size(); ++i)
    twice.weight[i] /= alpha0 + 1 + static_cast<double>(twice.lo) + static_cast<double>(i);
  classes_->visit_outside([&](std::size_t c, const Message& outside) {
    const Message& mine = classes_->leaf(c);
    const Window window = mine.window();
    const Message plain = meet(total_weight_, outside, window);
    const Message first = meet(once, outside, window);
    const Message second = meet(twice, outside, window);
    ClassLaw& law = laws_[c];
    law.count = {window.lo, std::vector<double>(window.size())};
    law.share.resize(window.size());
    law.square.resize(window.size());
    for (std::size_t i = 0; i < window.size(); ++i) {
      const std::int64_t n = window.lo + static_cast<std::int64_t>(i);
      const double a = alpha[c] + static_cast<double>(n);
      const double w = mine.weight[i] / mass_;
      law.count.weight[i] = w * plain.at(n);
      law.share[i] = w * first.at(n) * a;
      law.square[i] = w * second.at(n) * a * (a + 1);
    }
  });
}

/// Totals at which a row's weight has been cut to 0. All of them together have no more of the posterior than
/// was allowed to be cut.
void StarTree::bar_totals() {
  std::vector<std::vector<char>> barred(laws_.size());
  bool any = false;
  for (std::size_t c = 0; c < laws_.size(); ++c) {
    const Window window = laws_[c].count.window();
    for (std::int64_t n = window.lo; n <= window.hi; ++n) {
      const bool here = std::any_of(rows_[c].begin(), rows_[c].end(),
                                    [n](const auto& row) { return row && !(row->tree().weight_of(n) > 0); });
      barred[c].push_back(here ? 1 : 0);
      any = any || here;
    }
  }
  if (any) barred_ = std::move(barred);
}

std::int64_t StarTree::draw(std::span<std::int64_t> counts, Rng& rng) const {
  const auto barred = [&](std::size_t c) {
    return barred_[c][static_cast<std::size_t>(counts[c] - laws_[c].count.lo)] != 0;
  };
  for (;;) {
    const std::size_t which = draw_total_.empty() ? 0 : draw_total_.draw(rng);
    const std::int64_t total = totals_.lo + static_cast<std::int64_t>(which);
    classes_->share_out(total, counts, rng);
    bool again = false;
    for (std::size_t c = 0; c < barred_.size(); ++c) again = again || barred(c);
    if (!again) return total;
  }
}

}  // namespace postern::infer
