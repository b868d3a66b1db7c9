#include "postern/model/statistic/transitions.hpp"

#include "postern/core/mutant.hpp"
#include "postern/model/sequences.hpp"

#include "statistic/sequences/sequence.hpp"

namespace postern::model {
namespace {

/// The sum of weights that one person can have in a statistic.
Rational reach(const Statistic& statistic) {
  if (const auto* starts = statistic.as<Starts>()) return starts->parts;
  const auto& transitions = statistic.get<Transitions>();
  return Rational(transitions.parts) * transitions.at_most;
}

/// transitions.md
class SequencesRule : public CostRule {
 public:
  [[nodiscard]] Rational worst(std::span<const WeighedStatistic> statistics, const Schema& /*schema*/,
                               const PrivacyPolicy& policy) const override {
    const bool pure = policy.currency == Currency::pure;
    const bool one_person =
        policy.adjacency == Adjacency::add_remove && std::holds_alternative<PersonUnit>(policy.unit);
    const Rational k = records_per_unit(policy.unit);
    Rational total = 0;
    for (const WeighedStatistic& one : statistics) {
      const Rational most = reach(*one.statistic);
      Rational squared = most * most;
      if (const auto* moves = one.statistic->as<Transitions>(); moves != nullptr && mutant(109))
        squared /= moves->at_most;  // as if every transition had a cell of its own
      total += one.weight * (pure ? Rational(most / k) : Rational(squared / (k * k)));
    }
    return one_person ? total : Rational(2 * total);
  }
};

class CellsTally : public PeopleTally {
 public:
  explicit CellsTally(std::size_t cells) : values_(cells, 0) {}
  [[nodiscard]] std::vector<Int128> values() const override { return values_; }

 protected:
  void add_to(std::size_t cell, std::int64_t weight) { values_[cell] += weight; }

 private:
  std::vector<Int128> values_;
};

class TransitionsTally : public CellsTally {
 public:
  TransitionsTally(Transitions what, std::uint32_t states)
      : CellsTally(std::size_t{states} * states), what_(std::move(what)), states_(states) {}
  void add_person(std::span<const std::uint32_t> levels) override {
    const CellCounts counts = count_transitions(agreed_states(levels), states_, what_.idle);
    for (const auto& [cell, weight] : weigh_transitions(counts, what_.at_most, what_.parts))
      add_to(cell, weight);
  }

 private:
  Transitions what_;
  std::uint32_t states_;
};

class StartsTally : public CellsTally {
 public:
  StartsTally(std::int64_t parts, std::uint32_t states) : CellsTally(states), parts_(parts) {}
  void add_person(std::span<const std::uint32_t> levels) override {
    const std::vector<Moment> moments = agreed_states(levels);
    if (!moments.empty()) add_to(moments.front().state, parts_);
  }

 private:
  std::int64_t parts_;
};

/// What both have in common.
class SequenceKind : public StatisticKind {
 public:
  [[nodiscard]] const CostRule& cost_rule() const override {
    static const SequencesRule rule;
    return rule;
  }

 protected:
  static std::uint32_t states(const std::string& time, const std::string& state, const Schema& schema) {
    if (time == state || schema.at(time).levels() < 2)
      throw Error(ErrorCode::bad_value, {"a sequence needs a column of times and another of states"});
    return schema.at(state).levels();
  }
  static std::string parts_text(std::int64_t parts, const char* one) {
    return parts == 1 ? std::string(one) : std::string(one) + " / " + std::to_string(parts);
  }
};

class TransitionsKind : public SequenceKind {
 public:
  [[nodiscard]] std::vector<std::string> columns(const Statistic& statistic) const override {
    const auto& what = statistic.get<Transitions>();
    return {what.time, what.state};
  }
  [[nodiscard]] std::vector<std::uint32_t> shape(const Statistic& statistic,
                                                 const Schema& schema) const override {
    const auto& what = statistic.get<Transitions>();
    const std::uint32_t size = states(what.time, what.state, schema);
    if (what.idle && *what.idle >= size)
      throw Error(ErrorCode::bad_value,
                  {"the idle state is a level that column '", from_study(what.state), "' does not have"});
    return {size, size};
  }
  [[nodiscard]] std::unique_ptr<Tally> tally(const Statistic& statistic,
                                             const Schema& schema) const override {
    const auto& what = statistic.get<Transitions>();
    return std::make_unique<TransitionsTally>(what, schema.at(what.state).levels());
  }
  [[nodiscard]] std::string text(const Statistic& statistic, const Schema& /*schema*/) const override {
    return "transitions of " + statistic.get<Transitions>().state;
  }
  [[nodiscard]] std::string unit(const Statistic& statistic, const Schema& /*schema*/) const override {
    return parts_text(statistic.get<Transitions>().parts, "transitions");
  }
  [[nodiscard]] TermRange record_range(const Statistic& statistic, const Schema& /*schema*/) const override {
    return {0, reach(statistic).get_d()};
  }
  [[nodiscard]] std::string coordinate_text(const Statistic& statistic, const Schema& schema,
                                            std::size_t coordinate) const override {
    const Column& column = schema.at(statistic.get<Transitions>().state);
    return column.name + " from " + column.label(static_cast<std::uint32_t>(coordinate / column.levels())) +
           " to " + column.label(static_cast<std::uint32_t>(coordinate % column.levels()));
  }
  [[nodiscard]] bool answers_to(std::string_view name) const override { return name == "transitions"; }
  [[nodiscard]] Statistic read(Node& node) const override {
    Transitions out{node.text("time"), node.text("state"), node.integer("at_most", 1, kMostParts),
                    node.integer("parts", 1, kMostParts), std::nullopt};
    if (node.has("idle")) out.idle = static_cast<std::uint32_t>(node.integer("idle", 0, kMaxLevels - 1));
    return out;
  }
  [[nodiscard]] JsonValue write(const Statistic& statistic) const override {
    const auto& what = statistic.get<Transitions>();
    JsonObject out{{"at_most", json_integer(what.at_most)},
                   {"kind", json_text("transitions")},
                   {"parts", json_integer(what.parts)},
                   {"state", json_text(what.state)},
                   {"time", json_text(what.time)}};
    if (what.idle) out.push_back({"idle", json_integer(*what.idle)});
    return json_object(std::move(out));
  }
};

class StartsKind : public SequenceKind {
 public:
  [[nodiscard]] std::vector<std::string> columns(const Statistic& statistic) const override {
    const auto& what = statistic.get<Starts>();
    return {what.time, what.state};
  }
  [[nodiscard]] std::vector<std::uint32_t> shape(const Statistic& statistic,
                                                 const Schema& schema) const override {
    const auto& what = statistic.get<Starts>();
    return {states(what.time, what.state, schema)};
  }
  [[nodiscard]] std::unique_ptr<Tally> tally(const Statistic& statistic,
                                             const Schema& schema) const override {
    const auto& what = statistic.get<Starts>();
    return std::make_unique<StartsTally>(what.parts, schema.at(what.state).levels());
  }
  [[nodiscard]] std::string text(const Statistic& statistic, const Schema& /*schema*/) const override {
    return "first " + statistic.get<Starts>().state + " of people";
  }
  [[nodiscard]] std::string unit(const Statistic& statistic, const Schema& /*schema*/) const override {
    return parts_text(statistic.get<Starts>().parts, "people");
  }
  [[nodiscard]] TermRange record_range(const Statistic& statistic, const Schema& /*schema*/) const override {
    return {0, reach(statistic).get_d()};
  }
  [[nodiscard]] std::string coordinate_text(const Statistic& statistic, const Schema& schema,
                                            std::size_t coordinate) const override {
    const Column& column = schema.at(statistic.get<Starts>().state);
    return "people who begin with " + column.name + " = " +
           column.label(static_cast<std::uint32_t>(coordinate));
  }
  [[nodiscard]] bool answers_to(std::string_view name) const override { return name == "starts"; }
  [[nodiscard]] Statistic read(Node& node) const override {
    return Starts{node.text("time"), node.text("state"), node.integer("parts", 1, kMostParts)};
  }
  [[nodiscard]] JsonValue write(const Statistic& statistic) const override {
    const auto& what = statistic.get<Starts>();
    return json_object({{"kind", json_text("starts")},
                        {"parts", json_integer(what.parts)},
                        {"state", json_text(what.state)},
                        {"time", json_text(what.time)}});
  }
};

}  // namespace

const StatisticKind& kind_of(const Transitions& /*transitions*/) {
  static const TransitionsKind kind;
  return kind;
}

const StatisticKind& kind_of(const Starts& /*starts*/) {
  static const StartsKind kind;
  return kind;
}

}  // namespace postern::model
