#include <array>

#include "postern/core/error.hpp"

#include "statistic/moments/cost.hpp"

namespace postern::model {
namespace {

constexpr std::array kParts{MomentPart::x,        MomentPart::y,  MomentPart::x_squares,
                            MomentPart::y_square, MomentPart::xx, MomentPart::xy};

std::vector<std::string> columns_of(const Moments& moments) {
  std::vector<std::string> names = moments.features;
  names.push_back(moments.target);
  return names;
}

class MomentTally : public Tally {
 public:
  MomentTally(const Moments& moments, const Schema& schema)
      : steps_(moments.steps), half_(moments.centred ? steps_ * steps_ / 2 : 0) {
    std::size_t entry = 1;
    for (const std::string& name : columns_of(moments)) {
      const Column& column = schema.at(name);
      const bool number = is_regression_number(column) || name == moments.target;
      columns_.push_back({entry, number ? moment_levels(column, steps_) : std::vector<std::int16_t>{}});
      entry += number ? 1 : column.levels() - 1;
    }
    width_ = entry;
    const std::vector<MomentPair> pairs = moment_pairs(moments, schema);
    places_.assign(width_ * width_, -1);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      places_[pairs[i].first * width_ + pairs[i].second] = static_cast<std::int64_t>(i);
    sums_.assign(pairs.size(), 0);
  }
  void add(std::span<const std::uint32_t> levels, std::int64_t count) override {
    present_.assign(1, {0, 1});
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const ColumnOf& column = columns_[c];
      if (!column.numbers.empty()) {
        present_.push_back({column.entry, column.numbers[levels[c]]});
      } else if (levels[c] > 0) {
        present_.push_back({column.entry + levels[c] - 1, steps_});
      }
    }
    for (std::size_t a = 0; a < present_.size(); ++a) {
      for (std::size_t b = a; b < present_.size(); ++b) {
        const std::int64_t place = places_[present_[a].entry * width_ + present_[b].entry];
        if (place < 0) continue;
        const std::int64_t term = present_[a].value * present_[b].value - half_;
        sums_[static_cast<std::size_t>(place)] += Int128{count} * term;
      }
    }
  }
  [[nodiscard]] std::vector<Int128> values() const override { return sums_; }

 private:
  struct ColumnOf {
    std::size_t entry;                  ///< the place of its first one in w
    std::vector<std::int16_t> numbers;  ///< by level; none of a category
  };
  struct Present {
    std::size_t entry;
    std::int64_t value;
  };
  std::int64_t steps_;
  std::int64_t half_;
  std::size_t width_ = 0;
  std::vector<ColumnOf> columns_;
  std::vector<std::int64_t> places_;  ///< of a product of two entries among the sums, or -1
  std::vector<Present> present_;      ///< the entries of a record that are not always 0
  std::vector<Int128> sums_;
};

/// "age", "workclass = Private", of an entry of w.
std::string entry_text(const Moments& moments, const MomentEntry& entry, const Schema& schema) {
  const std::string& name =
      entry.column < moments.features.size() ? moments.features[entry.column] : moments.target;
  return entry.level == 0 ? name : name + " = " + schema.at(name).label(entry.level);
}

class MomentsKind : public StatisticKind {
 public:
  [[nodiscard]] std::vector<std::string> columns(const Statistic& statistic) const override {
    return columns_of(statistic.get<Moments>());
  }
  [[nodiscard]] std::vector<std::uint32_t> shape(const Statistic& statistic,
                                                 const Schema& schema) const override {
    const auto& moments = statistic.get<Moments>();
    if (moments.centred && !of_squares(moments.part))
      throw Error(ErrorCode::bad_value, {"only squares are centred"});
    const std::size_t size = moment_pairs(moments, schema).size();
    if (size == 0) throw Error(ErrorCode::bad_value, {"these features have no such products"});
    return {static_cast<std::uint32_t>(size)};
  }
  [[nodiscard]] std::unique_ptr<Tally> tally(const Statistic& statistic,
                                             const Schema& schema) const override {
    return std::make_unique<MomentTally>(statistic.get<Moments>(), schema);
  }
  [[nodiscard]] const CostRule& cost_rule() const override { return moments_rule(); }
  [[nodiscard]] std::size_t most_in_document() const override { return 16; }

  /// "sums of xy", by the name that shares go by.
  [[nodiscard]] std::string text(const Statistic& statistic, const Schema& /*schema*/) const override {
    const auto& moments = statistic.get<Moments>();
    const std::string what(to_text(moments.part));
    const bool one = moments.part == MomentPart::y || moments.part == MomentPart::y_square;
    return (one ? "sum of " : "sums of ") + what + (moments.centred ? " - 1/2" : "");
  }
  [[nodiscard]] std::string unit(const Statistic& statistic, const Schema& /*schema*/) const override {
    return "steps of " + to_fraction(moment_unit(statistic.get<Moments>()));
  }
  [[nodiscard]] TermRange record_range(const Statistic& statistic, const Schema& /*schema*/) const override {
    const auto& moments = statistic.get<Moments>();
    const auto most =
        static_cast<double>(of_sums(moments.part) ? moments.steps : moments.steps * moments.steps);
    if (!of_squares(moments.part)) return {-most, most};
    return moments.centred ? TermRange{-most / 2, most / 2} : TermRange{0, most};
  }
  /// "sum of age x hours", "sum of workclass = Private"
  [[nodiscard]] std::string coordinate_text(const Statistic& statistic, const Schema& schema,
                                            std::size_t coordinate) const override {
    const auto& moments = statistic.get<Moments>();
    const MomentPair pair = moment_pairs(moments, schema).at(coordinate);
    const std::vector<MomentEntry> entries = moment_entries(moments, schema);
    const auto name = [&](std::size_t place) { return entry_text(moments, entries[place - 1], schema); };
    if (pair.first == 0) return "sum of " + name(pair.second);
    return "sum of " + name(pair.first) + " x " + name(pair.second) + (moments.centred ? " - 1/2" : "");
  }

  [[nodiscard]] bool answers_to(std::string_view name) const override { return name == "moments"; }
  [[nodiscard]] Statistic read(Node& node) const override {
    Moments out;
    out.features = node.texts("features");
    out.target = node.text("target");
    out.steps = node.integer("steps", 2, kMostMomentSteps);
    out.part = read_part(node);
    out.centred = node.truth("centred");
    return out;
  }
  [[nodiscard]] JsonValue write(const Statistic& statistic) const override {
    const auto& moments = statistic.get<Moments>();
    return json_object({{"centred", JsonValue{moments.centred}},
                        {"features", json_texts(moments.features)},
                        {"kind", json_text("moments")},
                        {"part", json_text(std::string(to_text(moments.part)))},
                        {"steps", json_integer(moments.steps)},
                        {"target", json_text(moments.target)}});
  }

 private:
  static MomentPart read_part(Node& node) {
    const std::string text = node.text("part");
    for (const MomentPart part : kParts) {
      if (text == to_text(part)) return part;
    }
    node.refuse(ErrorCode::release_malformed, "part", {"is none of x, y, x^2, y^2, xx, xy"});
  }
};

}  // namespace

const StatisticKind& kind_of(const Moments& /*moments*/) {
  static const MomentsKind kind;
  return kind;
}

}  // namespace postern::model
