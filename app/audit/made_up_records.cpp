#include "audit/made_up_records.hpp"

#include "postern/model/sequences.hpp"

namespace postern::app {
namespace {

constexpr int kCrowd = 20;

/// A field whose value lies at a level, far outside the declared ones, or nowhere.
std::string field_at(const model::Categories& values, std::uint32_t level) { return values.labels[level]; }
std::string field_at(const model::IntegerRange& values, std::uint32_t level) {
  if (values.cuts.empty()) return std::to_string(values.lo + level);
  return std::to_string(level == 0 ? values.lo : values.cuts[level - 1]);
}
std::string field_at(const model::RealRange& values, std::uint32_t level) {
  if (values.cuts.empty()) return to_decimal(Rational(values.lo + values.grid * level));
  return to_decimal(level == 0 ? values.lo : values.cuts[level - 1]);
}

std::string field_outside(const model::Categories& /*values*/) { return "not a declared category"; }
std::string field_outside(const model::IntegerRange& values) { return std::to_string(values.hi) + "000001"; }
std::string field_outside(const model::RealRange& values) {
  return to_decimal(Rational(values.hi + 1'000'000'000));
}

std::string csv_field(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

enum class Kind { first, middle, last, outside, missing };

std::string field_of(const model::Column& column, Kind kind) {
  const std::uint32_t levels = column.levels();
  const auto at = [&](std::uint32_t level) {
    return std::visit([level](const auto& v) { return field_at(v, level); }, column.values);
  };
  switch (kind) {
    case Kind::first:
      return at(0);
    case Kind::middle:
      return at(levels / 2);
    case Kind::last:
      return at(levels - 1);
    case Kind::outside:
      return std::visit([](const auto& v) { return field_outside(v); }, column.values);
    case Kind::missing:
      return "";
  }
  return "";
}

std::string name_of(Kind kind) {
  switch (kind) {
    case Kind::first:
      return "first level";
    case Kind::middle:
      return "middle level";
    case Kind::last:
      return "last level";
    case Kind::outside:
      return "undeclared value";
    case Kind::missing:
      return "missing value";
  }
  return "";
}

/// Lines of records of one study. If its unit is a person they begin with an id.
class Scribe {
 public:
  explicit Scribe(const model::Study& study)
      : schema_(study.schema),
        person_(std::get_if<model::PersonUnit>(&study.privacy.unit)),
        time_(model::ordered_by(study.model)) {}
  [[nodiscard]] std::string header() const {
    return line(person_ == nullptr ? "" : person_->column,
                [](const model::Column& column) { return csv_field(column.name); });
  }
  /// Where the study is of sequences, the record of one time of many.
  [[nodiscard]] std::string record(Kind kind, const std::string& id = "", std::int64_t time = 0) const {
    return line(id, [&](const model::Column& column) {
      const std::string field = column.name == time_ ? time_of(column, time) : field_of(column, kind);
      return field.empty() ? field : csv_field(field);
    });
  }
  /// First and last levels by turns, each for as many columns: 1 is first, last, first, last.
  [[nodiscard]] std::string mixed(std::size_t run) const {
    std::size_t at = 0;
    return line("", [&](const model::Column& column) {
      return csv_field(field_of(column, at++ / run % 2 == 0 ? Kind::first : Kind::last));
    });
  }
  [[nodiscard]] std::string records(std::int64_t count, Kind kind, const std::string& id) const {
    std::string text;
    for (std::int64_t i = 0; i < count; ++i) text += record(kind, id, i);
    return text;
  }
  [[nodiscard]] std::string crowd(int size) const {
    std::string text = header();
    for (int i = 0; i < size; ++i) text += record(Kind::first, "bystander " + std::to_string(i));
    return text;
  }

 private:
  static std::string time_of(const model::Column& column, std::int64_t time) {
    const auto level = static_cast<std::uint32_t>(time % column.levels());
    return std::visit([level](const auto& v) { return field_at(v, level); }, column.values);
  }
  template <class Write>
  [[nodiscard]] std::string line(const std::string& id, const Write& write) const {
    std::string text = person_ == nullptr || id.empty() ? "" : csv_field(id);
    bool first = person_ == nullptr;
    for (const model::Column& column : schema_.columns()) {
      if (!first) text += ',';
      first = false;
      text += write(column);
    }
    return text + '\n';
  }
  const model::Schema& schema_;
  const model::PersonUnit* person_;
  std::optional<std::string> time_;
};

std::vector<NeighbourPair> pairs_by_replacement(const Scribe& scribe) {
  std::vector<NeighbourPair> pairs;
  const auto replace = [&](int crowd, Kind from, Kind to) {
    pairs.push_back({name_of(from) + " -> " + name_of(to) + ", n = " + std::to_string(crowd + 1),
                     scribe.crowd(crowd) + scribe.record(from), scribe.crowd(crowd) + scribe.record(to)});
  };
  replace(0, Kind::first, Kind::last);
  replace(kCrowd, Kind::first, Kind::last);
  replace(kCrowd, Kind::middle, Kind::last);
  replace(kCrowd, Kind::outside, Kind::first);
  replace(kCrowd, Kind::missing, Kind::last);
  return pairs;
}

std::vector<NeighbourPair> pairs_by_addition(const Scribe& scribe) {
  std::vector<NeighbourPair> pairs;
  const auto add = [&](int crowd, Kind kind) {
    pairs.push_back({name_of(kind) + " added to " + std::to_string(crowd) + " records",
                     scribe.crowd(crowd) + scribe.record(kind), scribe.crowd(crowd)});
  };
  add(0, Kind::last);
  for (const Kind kind : {Kind::first, Kind::last, Kind::outside, Kind::missing}) add(kCrowd, kind);
  return pairs;
}

/// Half of the others have first levels and half have last ones, so that columns go together. A record that
/// is first and last by turns speaks against some pairs of neighbouring columns and for others.
NeighbourPair mixed_pair(const Scribe& scribe, model::Adjacency adjacency) {
  const std::string others = scribe.crowd(kCrowd / 2) + scribe.records(kCrowd / 2, Kind::last, "");
  if (adjacency == model::Adjacency::add_remove)
    return {"mixed levels added to " + std::to_string(kCrowd) + " records", others + scribe.mixed(1), others};
  return {"mixed levels -> mixed otherwise, n = " + std::to_string(kCrowd + 1), others + scribe.mixed(1),
          others + scribe.mixed(2)};
}

/// A person with k and more records joins others, one of whom has too many as well.
std::vector<NeighbourPair> pairs_of_people(const Scribe& scribe, std::int64_t k) {
  const std::string busy = scribe.records(k, Kind::last, "busy") + scribe.record(Kind::first, "busy");
  const std::string crowd = scribe.crowd(kCrowd) + busy;
  std::vector<NeighbourPair> pairs;
  const auto add = [&](const std::string& others, const std::string& what, const std::string& records) {
    pairs.push_back({what, others + records, others});
  };
  const auto alike = [&](std::int64_t count, Kind kind) { return scribe.records(count, kind, "newcomer"); };
  const std::string many = std::to_string(k);
  add(scribe.header(), "a person with " + many + " x last level, alone", alike(k, Kind::last));
  for (const Kind kind : {Kind::first, Kind::last, Kind::outside, Kind::missing}) {
    add(crowd, "a person with " + many + " x " + name_of(kind) + " joins", alike(k, kind));
  }
  add(crowd, "a person with " + std::to_string(2 * k + 1) + " x last level joins",
      alike(2 * k + 1, Kind::last));
  add(crowd, "a person with " + std::to_string(k + 1) + " x first and last level joins",
      alike(k + 1, Kind::first) + alike(k + 1, Kind::last));
  add(crowd, std::to_string(k + 1) + " x last level join, of nobody", scribe.records(k + 1, Kind::last, ""));
  return pairs;
}

}  // namespace

std::vector<NeighbourPair> neighbour_pairs(const model::Study& study, bool in_rounds) {
  const Scribe scribe(study);
  if (const auto* person = std::get_if<model::PersonUnit>(&study.privacy.unit)) {
    return pairs_of_people(scribe, person->at_most);
  }
  std::vector<NeighbourPair> pairs = study.privacy.adjacency == model::Adjacency::add_remove
                                         ? pairs_by_addition(scribe)
                                         : pairs_by_replacement(scribe);
  if (in_rounds) pairs.push_back(mixed_pair(scribe, study.privacy.adjacency));
  return pairs;
}

}  // namespace postern::app
