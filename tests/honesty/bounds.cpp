#include "bounds.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace postern::honesty {
namespace {

/// k times ten to the e, exactly.
std::string decimal(double k, int e) {
  char text[64];
  (void)std::snprintf(text, sizeof text, "%.*f", std::max(0, -e), k * std::pow(10, e));
  return text;
}

}  // namespace

std::string times_text(double times) {
  return times == std::round(times) ? std::to_string(std::lround(times))
                                    : decimal(std::round(10 * times), -1);
}

std::string column_header(const std::string& name) { return "\n[columns.\"" + name + "\"]\n"; }

std::string category_column(const std::string& name, const std::vector<std::string>& levels) {
  std::string list;
  for (const std::string& level : levels) list += (list.empty() ? "\"" : ", \"") + level + "\"";
  return column_header(name) + "categories = [" + list + "]\nmissing = \"" + levels.front() + "\"\n";
}

std::string real_column(const std::string& name, const std::vector<double>& values, double times) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double middle = (*least + *most) / 2;
  const double half = times * (*most - *least) / 2;
  const int e = static_cast<int>(std::floor(std::log10(*most - *least))) - 3;
  const double step = std::pow(10, e);
  const double low = std::floor((middle - half) / step);
  const double high = std::ceil((middle + half) / step);
  return column_header(name) + "real = [\"" + decimal(low, e) + "\", \"" + decimal(high, e) +
         "\"]\ngrid = \"" + decimal(1, e) + "\"\n";
}

}  // namespace postern::honesty
