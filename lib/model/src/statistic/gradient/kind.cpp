#include <algorithm>
#include <array>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/model/statistic/gradient_sum.hpp"

namespace postern::model {
namespace {

constexpr std::int64_t kOne = std::int64_t{1} << kLogisticBits;
constexpr int kTailLimit = 16;          // past it the logistic function is within 2^-20 of 0 or 1
constexpr int kPieces = 64;             // between two whole numbers
constexpr unsigned kArgumentBits = 26;  // of t

/// e^{-k/64}, in units of 2^-60, by its series in whole numbers.
Integer exponential_units(int k) {
  const Integer one = Integer(1) << 60;
  Integer sum = one;
  Integer term = one;
  for (unsigned long i = 1; i < 400; ++i) {
    term = term * k / (static_cast<long>(kPieces) * static_cast<long>(i));
    if (term == 0) break;
    sum += term;
  }
  return one * one / sum;  // 1 / e^{k/64}: no cancellation
}

/// The logistic function at 0, 1/64, 2/64, ... 16, in units of 2^-20.
const std::array<std::int64_t, kTailLimit * kPieces + 1>& logistic_table() {
  static const auto table = [] {
    std::array<std::int64_t, kTailLimit * kPieces + 1> out{};
    for (int k = 0; k <= kTailLimit * kPieces; ++k) {
      const Integer one = Integer(1) << 60;
      const Integer value = (one << kLogisticBits) / (one + exponential_units(k));
      out[static_cast<std::size_t>(k)] = value.get_si();
    }
    return out;
  }();
  return table;
}

/// What theta . w can be at the least and at the most, in units of 2^-26.
struct Reach {
  std::int64_t lo = 0;
  std::int64_t hi = 0;
};

Reach reach_of(const GradientSum& gradient, const GradientEntries& entries) {
  Reach out;
  for (std::size_t s = 0; s < entries.slots().size(); ++s) {
    const GradientEntries::Slot& slot = entries.slots()[s];
    const bool always = gradient.intercept && s == 0;
    Reach one;
    for (std::size_t j = slot.first; j < slot.first + slot.count; ++j) {
      const std::int64_t effect = gradient.theta[j] * kGradientSteps;
      one.lo = always ? effect : std::min(one.lo, slot.number ? -std::abs(effect) : effect);
      one.hi = always ? effect : std::max(one.hi, slot.number ? std::abs(effect) : effect);
    }
    out = {out.lo + one.lo, out.hi + one.hi};
  }
  return out;
}

/// A record's term, which rounding never makes larger.
std::int64_t toward_zero(std::int64_t term) {
  if (mutant(98) && term % kOne != 0) return term / kOne + (term < 0 ? -1 : 1);
  return term / kOne;
}

class GradientTally : public Tally {
 public:
  GradientTally(const GradientSum& gradient, const Schema& schema)
      : theta_(gradient.theta), entries_(gradient, schema), w_(entries_.size()), sums_(entries_.size(), 0) {}
  void add(std::span<const std::uint32_t> levels, std::int64_t count) override {
    entries_.fill(levels, w_);
    std::int64_t dot = 0;
    for (std::size_t j = 0; j < w_.size(); ++j) dot += theta_[j] * w_[j];
    const std::int64_t error = (levels.back() == 1 ? kOne : 0) - logistic_units(dot);
    for (std::size_t j = 0; j < w_.size(); ++j)
      sums_[j] += static_cast<Int128>(count) * toward_zero(error * w_[j]);
  }
  [[nodiscard]] std::vector<Int128> values() const override { return sums_; }

 private:
  std::vector<std::int64_t> theta_;
  GradientEntries entries_;
  std::vector<std::int64_t> w_;
  std::vector<Int128> sums_;
};

/// cost.md
class GradientRule : public CostRule {
 public:
  [[nodiscard]] Rational worst(std::span<const WeighedStatistic> statistics, const Schema& schema,
                               const PrivacyPolicy& policy) const override {
    const bool pure = policy.currency == Currency::pure;
    const bool twice = policy.adjacency == Adjacency::replace_one && !mutant(84);
    Rational total = 0;
    for (const WeighedStatistic& one : statistics) {
      Integer norm = 0;
      for (const std::int64_t bound : gradient_bounds(one.statistic->get<GradientSum>(), schema)) {
        const Integer change = Integer(bound) * (twice ? 2 : 1);
        norm += pure ? change : Integer(change * change);
      }
      total += one.weight * Rational(norm);
    }
    return total;
  }
};

class GradientSumKind : public StatisticKind {
 public:
  [[nodiscard]] std::vector<std::string> columns(const Statistic& statistic) const override {
    const auto& gradient = statistic.get<GradientSum>();
    std::vector<std::string> names = gradient.features;
    names.push_back(gradient.target);
    return names;
  }
  [[nodiscard]] std::vector<std::uint32_t> shape(const Statistic& statistic,
                                                 const Schema& schema) const override {
    const auto& gradient = statistic.get<GradientSum>();
    const GradientEntries entries(gradient, schema);
    const bool inside = std::all_of(gradient.theta.begin(), gradient.theta.end(),
                                    [](std::int64_t one) { return std::abs(one) <= kMostTheta; });
    if (gradient.theta.size() != entries.size() || !inside)
      throw Error(ErrorCode::bad_value, {"a gradient is taken at one coefficient, from -64 to 64, for each "
                                         "entry of its features"});
    return {static_cast<std::uint32_t>(entries.size())};
  }
  [[nodiscard]] std::unique_ptr<Tally> tally(const Statistic& statistic,
                                             const Schema& schema) const override {
    return std::make_unique<GradientTally>(statistic.get<GradientSum>(), schema);
  }
  [[nodiscard]] const CostRule& cost_rule() const override {
    static const GradientRule rule;
    return rule;
  }
  [[nodiscard]] std::string text(const Statistic& statistic, const Schema& /*schema*/) const override {
    return "gradient for " + statistic.get<GradientSum>().target;
  }
  [[nodiscard]] std::string unit(const Statistic& /*statistic*/, const Schema& /*schema*/) const override {
    return "steps of 1/1024";
  }
  [[nodiscard]] TermRange record_range(const Statistic& /*statistic*/,
                                       const Schema& /*schema*/) const override {
    return {-static_cast<double>(kGradientSteps), static_cast<double>(kGradientSteps)};
  }
  [[nodiscard]] std::size_t cells(const Statistic& /*statistic*/, const Schema& /*schema*/) const override {
    return 0;
  }
  [[nodiscard]] std::size_t most_in_document() const override { return 1000; }
  [[nodiscard]] bool answers_to(std::string_view name) const override { return name == "gradient-sum"; }
  [[nodiscard]] Statistic read(Node& node) const override {
    GradientSum out;
    out.features = node.texts("features");
    out.target = node.text("target");
    out.intercept = node.truth("intercept");
    for (const Rational& one : node.rationals("theta")) {
      if (one.get_den() != 1 || abs(one) > kMostTheta)
        node.refuse(ErrorCode::release_malformed, "theta", {"holds what is no coefficient"});
      out.theta.push_back(one.get_num().get_si());
    }
    return out;
  }
  [[nodiscard]] JsonValue write(const Statistic& statistic) const override {
    const auto& gradient = statistic.get<GradientSum>();
    std::vector<Rational> theta;
    for (const std::int64_t one : gradient.theta) theta.emplace_back(one);
    return json_object({{"features", json_texts(gradient.features)},
                        {"intercept", JsonValue{gradient.intercept}},
                        {"kind", json_text("gradient-sum")},
                        {"target", json_text(gradient.target)},
                        {"theta", json_rationals(theta)}});
  }
};

}  // namespace

const StatisticKind& kind_of(const GradientSum& /*gradient*/) {
  static const GradientSumKind kind;
  return kind;
}

std::int64_t logistic_units(std::int64_t t) {
  if (t < 0) return kOne - logistic_units(-t);
  constexpr unsigned kWithin = kArgumentBits - 6;  // bits of t between two entries of the table
  const std::int64_t piece = t >> kWithin;
  if (piece >= std::int64_t{kTailLimit} * kPieces) return kOne;
  const auto& table = logistic_table();
  const std::int64_t here = table[static_cast<std::size_t>(piece)];
  const std::int64_t next = table[static_cast<std::size_t>(piece) + 1];
  return here + (((next - here) * (t & ((std::int64_t{1} << kWithin) - 1))) >> kWithin);
}

GradientEntries::GradientEntries(const GradientSum& gradient, const Schema& schema)
    : intercept_(gradient.intercept) {
  const Column& target = schema.at(gradient.target);
  if (target.levels() != 2) {
    throw Error(ErrorCode::bad_value,
                {"the target '", from_study(target.name),
                 "' of a logistic regression needs two levels, and has ", public_number(target.levels())});
  }
  if (intercept_) slots_.push_back({size_++, 1, false});
  for (const MomentEntry& entry : feature_entries(gradient.features, gradient.target, schema)) {
    if (entry.level > 1) {
      ++slots_.back().count;
    } else {
      slots_.push_back({size_, 1, entry.level == 0});
    }
    ++size_;
  }
  for (const std::string& name : gradient.features) {
    const Column& column = schema.at(name);
    numbers_.push_back(is_regression_number(column) ? moment_levels(column, kGradientSteps)
                                                    : std::vector<std::int16_t>());
  }
}

void GradientEntries::fill(std::span<const std::uint32_t> levels, std::span<std::int64_t> w) const {
  std::fill(w.begin(), w.end(), 0);
  std::size_t slot = 0;
  if (intercept_) w[slots_[slot++].first] = kGradientSteps;
  for (std::size_t c = 0; c < numbers_.size(); ++c, ++slot) {
    const Slot& here = slots_[slot];
    if (here.number) {
      w[here.first] = numbers_[c][levels[c]];
    } else if (levels[c] > 0) {
      w[here.first + levels[c] - 1] = kGradientSteps;
    }
  }
}

std::vector<std::int64_t> gradient_bounds(const GradientSum& gradient, const Schema& schema) {
  const GradientEntries entries(gradient, schema);
  const Reach reach = reach_of(gradient, entries);
  const std::int64_t most =
      mutant(97) ? kOne / 2 : std::max(logistic_units(reach.hi), kOne - logistic_units(reach.lo));
  return std::vector<std::int64_t>(entries.slots().size(), most * kGradientSteps / kOne);
}

}  // namespace postern::model
