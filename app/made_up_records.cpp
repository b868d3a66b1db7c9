#include "made_up_records.hpp"

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

/// Lines of records of one study.
class Scribe {
 public:
  explicit Scribe(const model::Study& study) : schema_(study.schema) {}
  [[nodiscard]] std::string header() const {
    return line([](const model::Column& column) { return csv_field(column.name); });
  }
  [[nodiscard]] std::string record(Kind kind) const {
    return line([&](const model::Column& column) {
      const std::string field = field_of(column, kind);
      return field.empty() ? field : csv_field(field);
    });
  }
  [[nodiscard]] std::string crowd(int size) const {
    std::string text = header();
    for (int i = 0; i < size; ++i) text += record(Kind::first);
    return text;
  }

 private:
  template <class Write>
  [[nodiscard]] std::string line(const Write& write) const {
    std::string text;
    bool first = true;
    for (const model::Column& column : schema_.columns()) {
      if (!first) text += ',';
      first = false;
      text += write(column);
    }
    return text + '\n';
  }
  const model::Schema& schema_;
};

}  // namespace

std::vector<NeighbourPair> neighbour_pairs(const model::Study& study) {
  const Scribe scribe(study);
  std::vector<NeighbourPair> pairs;
  if (study.privacy.adjacency == model::Adjacency::add_remove) {
    const auto add = [&](int crowd, Kind kind) {
      pairs.push_back({name_of(kind) + " added to " + std::to_string(crowd) + " records",
                       scribe.crowd(crowd) + scribe.record(kind), scribe.crowd(crowd)});
    };
    add(0, Kind::last);
    for (const Kind kind : {Kind::first, Kind::last, Kind::outside, Kind::missing}) add(kCrowd, kind);
    return pairs;
  }
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

}  // namespace postern::app
