#include <algorithm>
#include <set>
#include <string_view>

#include "postern/core/error.hpp"
#include "postern/model/statistic/moments.hpp"

#include "statistic/moments/cost.hpp"

namespace postern::model {
namespace {

constexpr std::size_t kMostFeatures = 30;
constexpr std::size_t kMostEntries = 256;

void check_column_of(const Column& column) {
  if (column.levels() < 2) {
    throw Error(ErrorCode::bad_value, {"column '", from_study(column.name),
                                       "' holds one value only: nothing depends on it; leave it out"});
  }
}

void check_features(const std::vector<std::string>& features, const std::string& target,
                    const Schema& schema) {
  if (features.empty() || features.size() > kMostFeatures) {
    throw Error(ErrorCode::bad_value,
                {"a regression has between 1 and ", public_number(kMostFeatures), " features, and this has ",
                 public_number(static_cast<long long>(features.size())),
                 "; name those that matter most: features = [..]"});
  }
  std::set<std::string_view> seen{target};
  for (const std::string& name : features) {
    if (!seen.insert(name).second) {
      throw Error(ErrorCode::bad_value,
                  {"a regression names the column '", from_study(name), "' twice; leave one out"});
    }
    check_column_of(schema.at(name));
  }
}

void check_target(const Moments& moments, const Schema& schema) {
  const Column& target = schema.at(moments.target);
  if (!is_regression_number(target) && target.levels() != 2) {
    throw Error(ErrorCode::bad_value, {"the target '", from_study(target.name),
                                       "' of a regression is a number, or a column of two levels"});
  }
  check_column_of(target);
}

void check_steps(const Moments& moments) {
  if (moments.steps < 2 || moments.steps > kMostMomentSteps || moments.steps % 2 != 0) {
    throw Error(ErrorCode::bad_value,
                {"the `steps` of a regression are an even number in 2..", public_number(kMostMomentSteps)});
  }
}

/// The pairs (i, j), i < j, of entries of two different feature columns.
std::vector<MomentPair> feature_products(const std::vector<MomentEntry>& entries) {
  std::vector<MomentPair> out;
  for (std::size_t i = 0; i + 1 < entries.size(); ++i) {
    for (std::size_t j = i + 1; j + 1 < entries.size(); ++j) {
      if (entries[i].column != entries[j].column) out.push_back({i + 1, j + 1});
    }
  }
  return out;
}

}  // namespace

std::string_view to_text(MomentPart part) {
  switch (part) {
    case MomentPart::x:
      return "x";
    case MomentPart::y:
      return "y";
    case MomentPart::x_squares:
      return "x^2";
    case MomentPart::y_square:
      return "y^2";
    case MomentPart::xx:
      return "xx";
    case MomentPart::xy:
      return "xy";
  }
  return {};
}

bool of_squares(MomentPart part) { return part == MomentPart::x_squares || part == MomentPart::y_square; }

bool of_sums(MomentPart part) { return part == MomentPart::x || part == MomentPart::y; }

bool is_regression_number(const Column& column) {
  const auto* whole = std::get_if<IntegerRange>(&column.values);
  const auto* real = std::get_if<RealRange>(&column.values);
  return (whole != nullptr && whole->cuts.empty()) || (real != nullptr && real->cuts.empty());
}

std::vector<std::int16_t> moment_levels(const Column& column, std::int64_t steps) {
  const std::int64_t last = std::int64_t{column.levels()} - 1;
  std::vector<std::int16_t> out;
  out.reserve(column.levels());
  for (std::int64_t level = 0; level <= last; ++level) {
    const std::int64_t doubled = 2 * steps * (2 * level - last);  // over 2 * last
    const std::int64_t size = ((doubled < 0 ? -doubled : doubled) + last) / (2 * last);
    out.push_back(static_cast<std::int16_t>(doubled < 0 ? -size : size));
  }
  return out;
}

std::vector<MomentEntry> feature_entries(const std::vector<std::string>& features, const std::string& target,
                                         const Schema& schema) {
  check_features(features, target, schema);
  std::vector<MomentEntry> out;
  for (std::size_t c = 0; c < features.size(); ++c) {
    const Column& column = schema.at(features[c]);
    const bool number = is_regression_number(column);
    const std::size_t size = number ? 1 : column.levels() - 1;
    if (out.size() + size > kMostEntries) {
      throw Error(ErrorCode::bad_value,
                  {"the features of a regression have more than ", public_number(kMostEntries),
                   " levels together; merge levels of '", from_study(column.name), "' or leave it out"});
    }
    for (std::size_t e = 0; e < size; ++e) out.push_back({c, number ? 0 : static_cast<std::uint32_t>(e) + 1});
  }
  return out;
}

std::vector<MomentEntry> moment_entries(const Moments& moments, const Schema& schema) {
  std::vector<MomentEntry> out = feature_entries(moments.features, moments.target, schema);
  check_target(moments, schema);
  check_steps(moments);
  out.push_back({moments.features.size(), 0});
  return out;
}

std::vector<MomentPair> moment_pairs(const Moments& moments, const Schema& schema) {
  const std::vector<MomentEntry> entries = moment_entries(moments, schema);
  const std::size_t y = entries.size();  // its place in w, after the 1
  std::vector<MomentPair> out;
  switch (moments.part) {
    case MomentPart::x:
      for (std::size_t i = 1; i < y; ++i) out.push_back({0, i});
      break;
    case MomentPart::y:
      return {{0, y}};
    case MomentPart::x_squares:
      for (std::size_t i = 1; i < y; ++i) {
        if (entries[i - 1].level == 0) out.push_back({i, i});
      }
      break;
    case MomentPart::y_square:
      return {{y, y}};
    case MomentPart::xx:
      return feature_products(entries);
    case MomentPart::xy:
      for (std::size_t i = 1; i < y; ++i) out.push_back({i, y});
      break;
  }
  return out;
}

Rational moment_unit(const Moments& moments) {
  return Rational(1,
                  static_cast<long>(of_sums(moments.part) ? moments.steps : moments.steps * moments.steps));
}

}  // namespace postern::model
