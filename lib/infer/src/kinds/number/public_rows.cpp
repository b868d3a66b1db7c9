#include "public_rows.hpp"

#include <charconv>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/model/number_family.hpp"

namespace postern::infer {
namespace {

std::optional<double> number_in(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || stop != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

PublicSums sum_public_numbers(const PublicColumn& column, const model::Number& model) {
  const model::NumberFamily& family = *model::find_number_family(model.family);
  const auto law = family.law(model.known);
  const model::Transform transform = family.transform(model.known);
  PublicSums out;
  for (const std::optional<std::string>& text : column) {
    const std::optional<double> x = text ? number_in(*text) : std::nullopt;
    if (!x) {
      ++out.left_out;
      continue;
    }
    const bool below =
        (family.non_negative && *x < 0) || (transform.kind == model::Transform::Kind::log && *x <= 0);
    const double t = below ? 0 : transform(*x);
    if (below || !std::isfinite(t) || (family.whole && *x != std::floor(*x)) ||
        !law->possible({1, t, t * t})) {
      throw Error(ErrorCode::bad_option,
                  {"public rows: '", from_option(*text), "' in column '", from_document(model.column),
                   "' cannot be a number of family ", from_document(family.name)});
    }
    out.sums.n += 1;
    out.sums.t += t;
    out.sums.squares += t * t;
  }
  if (out.left_out > 0 && out.sums.n == 0) {
    throw Error(ErrorCode::bad_option,
                {"public rows: no row holds a number in column '", from_document(model.column), "'"});
  }
  return out;
}

}  // namespace postern::infer
