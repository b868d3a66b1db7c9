#include "exact/cell_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "exact/smooth_nodes.hpp"

namespace postern::infer {
namespace {

constexpr double kNegligible = 1e-18;  ///< of the largest probability

/// The part of a message that is not negligible, as a window.
Window worth_summing(const Message& message) {
  const double largest = *std::max_element(message.weight.begin(), message.weight.end());
  const auto counts = [&](double w) { return w > kNegligible * largest; };
  const auto first = std::find_if(message.weight.begin(), message.weight.end(), counts);
  const auto last = std::find_if(message.weight.rbegin(), message.weight.rend(), counts);
  return {message.lo + (first - message.weight.begin()),
          message.window().hi - (last - message.weight.rbegin())};
}

/// The likeliest count.
std::int64_t mode_of(const Message& message) {
  return message.lo +
         (std::max_element(message.weight.begin(), message.weight.end()) - message.weight.begin());
}

/// Weights of the pairs (node of s, node of r).
class PairWeights {
 public:
  PairWeights(SmoothNodes s, SmoothNodes r)
      : s_(std::move(s)), r_(std::move(r)), weight_(s_.nodes().size() * r_.nodes().size()) {}

  /// Deposits mine(s) side(r) for all s, r in the windows with s + r <= most.
  void deposit(const Message& mine, Window s, const Message& side, std::int64_t most) {
    std::vector<double> row(r_.nodes().size());
    const Window all = side.window();
    std::int64_t next = all.lo;  // r below it are in the row
    // From the largest s down: its partners are the first ones, and each step lets one more in.
    for (std::int64_t x = s.hi; x >= s.lo; --x) {
      for (; next <= std::min(all.hi, most - x); ++next) r_.deposit(next, side.at(next), row);
      add(x, mine.at(x), row);
      if (next > all.hi) {
        // No partner is cut off from here on: the rest is a product.
        std::vector<double> column(s_.nodes().size());
        for (--x; x >= s.lo; --x) s_.deposit(x, mine.at(x), column);
        for (std::size_t i = 0; i < column.size(); ++i) add_row(i, column[i], row);
      }
    }
  }

  template <class Visit>
  void visit(const Visit& visitor) const {
    for (std::size_t i = 0; i < s_.nodes().size(); ++i) {
      for (std::size_t j = 0; j < r_.nodes().size(); ++j) {
        visitor(s_.nodes()[i], r_.nodes()[j], weight_[i * r_.nodes().size() + j]);
      }
    }
  }

 private:
  void add(std::int64_t s, double w, const std::vector<double>& row) {
    const SmoothNodes::Basis at = s_.basis(s);
    for (std::size_t j = 0; j < at.values.size(); ++j) add_row(at.first + j, w * at.values[j], row);
  }
  void add_row(std::size_t i, double w, const std::vector<double>& row) {
    double* out = weight_.data() + i * row.size();
    for (std::size_t j = 0; j < row.size(); ++j) out[j] += w * row[j];
  }

  SmoothNodes s_;
  SmoothNodes r_;
  std::vector<double> weight_;
};

struct Part {
  const Message& message;
  Window window;
};

/// The sum as it is defined.
BetaMixture mixture_of_all_pairs(const Part& mine, const Part& others, AlphaSplit alpha,
                                 const Message& total_weight) {
  std::vector<BetaMixture::Part> parts;
  for (std::int64_t s = mine.window.lo; s <= mine.window.hi; ++s) {
    for (std::int64_t r = others.window.lo; r <= others.window.hi; ++r) {
      const double w = mine.message.at(s) * others.message.at(r) * total_weight.at(s + r);
      if (w > 0)
        parts.push_back({w, alpha.mine + static_cast<double>(s), alpha.others + static_cast<double>(r)});
    }
  }
  return BetaMixture(std::move(parts));
}

}  // namespace

BetaMixture mixture_of_known_total(const Message& marginal, AlphaSplit alpha, std::int64_t n) {
  const Window window = worth_summing(marginal);
  const auto a = [&](double s) { return alpha.mine + s; };
  const auto b = [&](double s) { return alpha.others + (static_cast<double>(n) - s); };
  // Moving one record changes the Beta's mean by 1 / (a + b), so its sd is this many records.
  SmoothNodes nodes(window, [&](double s) { return std::sqrt(a(s) * b(s) / (a(s) + b(s))); });
  std::vector<double> weight(nodes.nodes().size());
  for (std::int64_t s = window.lo; s <= window.hi; ++s) nodes.deposit(s, marginal.at(s), weight);
  std::vector<BetaMixture::Part> parts;
  for (std::size_t j = 0; j < weight.size(); ++j) {
    parts.push_back({weight[j], a(nodes.nodes()[j]), b(nodes.nodes()[j])});
  }
  return BetaMixture(std::move(parts));
}

BetaMixture mixture_of_latent_total(const Message& mine, const Message& outside,
                                    const PairMarginals& marginals, AlphaSplit alpha, const CountTree& tree) {
  const Window window = worth_summing(marginals.mine);
  const Window partners = worth_summing(marginals.others);
  if (window.size() * partners.size() <= 4096) {
    return mixture_of_all_pairs({mine, window}, {outside, partners}, alpha, tree.total_weight());
  }
  const CountPlan& plan = tree.plan();
  const std::int64_t middle = mode_of(marginals.mine);
  const auto m = static_cast<double>(middle);
  const double tilt = plan.tilts.tilt;
  const Window totals = plan.tilts.totals;

  // The weight h(s + r) is split into h(middle + r), which joins the law of r, and a ratio that is smooth in
  // both.
  const Window rest = outside.window();
  const std::int64_t anchor = std::clamp(plan.tilts.anchor, middle + rest.lo, middle + rest.hi);
  Message side{rest.lo, plan.total.relative({middle + rest.lo, middle + rest.hi}, tilt, anchor)};
  for (std::size_t i = 0; i < side.weight.size(); ++i) side.weight[i] *= outside.weight[i];
  side.weight = {side.weight.begin() + (partners.lo - side.lo),
                 side.weight.begin() + (partners.hi - side.lo) + 1};
  side.lo = partners.lo;

  const double most_a = alpha.mine + static_cast<double>(window.hi);
  const double reach = std::max(m - static_cast<double>(window.lo), static_cast<double>(window.hi) - m) + 1;
  const double rise = std::max(std::abs(plan.total.slope(static_cast<double>(totals.lo)) - tilt),
                               std::abs(plan.total.slope(static_cast<double>(totals.hi)) - tilt));
  const auto scale_s = [&](double s) {
    const double a = alpha.mine + s;
    return std::min(std::sqrt(a), 1 / (rise + 1e-300));
  };
  const auto scale_r = [&](double r) {
    const double b = alpha.others + r;
    const double n = r + static_cast<double>(window.lo);
    const double bend = std::abs(plan.total.slope(n + 1) - plan.total.slope(n));
    return std::min({b * std::sqrt(1 / most_a + 1 / b), b / 3, 1 / (reach * bend + 1e-300)});
  };
  PairWeights pairs(SmoothNodes(window, scale_s), SmoothNodes(partners, scale_r));
  pairs.deposit(mine, window, side, plan.total.support().hi);

  std::vector<BetaMixture::Part> parts;
  pairs.visit([&](double s, double r, double w) {
    if (w == 0) return;
    const double ratio = plan.total.log_ratio(s + r, m + r) - tilt * (s - m);
    parts.push_back({w * std::exp(ratio), alpha.mine + s, alpha.others + r});
  });
  return BetaMixture(std::move(parts));
}

}  // namespace postern::infer
