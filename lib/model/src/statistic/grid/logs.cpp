#include <mutex>
#include <utility>

#include "postern/core/sha256.hpp"
#include "postern/model/statistic/grid_split.hpp"

namespace postern::model {
namespace {

/// A number in units of 2^-precision and how many units it may be off.
struct Approximate {
  Integer value;
  Integer error;
};

/// 2 atanh(z), |z| <= 1/3, by its series. Powers are off by less than 2 units (an error shrinks by 1/9 at
/// every step and one is added), terms by less than 3, and what is left out by less than 1.
Approximate twice_atanh(const Rational& z, unsigned precision) {
  const Integer p2 = z.get_num() * z.get_num();
  const Integer q2 = z.get_den() * z.get_den();
  Integer power = (z.get_num() << precision) / z.get_den();
  Approximate sum{0, 1};
  for (unsigned long odd = 1; power != 0; odd += 2) {
    sum.value += power / odd;
    sum.error += 3;
    power = power * p2 / q2;
  }
  return {2 * sum.value, 2 * sum.error};
}

/// ln x = ln m + e ln 2 with x = m 2^e and m in [2/3, 4/3].
Approximate log_of(Rational m, unsigned precision) {
  long e = 0;
  for (; m < Rational(2, 3); --e) m *= 2;
  for (; m > Rational(4, 3); ++e) m /= 2;
  const Approximate small = twice_atanh((m - 1) / (m + 1), precision);
  const Approximate two = twice_atanh(Rational(1, 3), precision);
  return {small.value + e * two.value, small.error + std::abs(e) * two.error};
}

Integer shifted_down(const Integer& value, unsigned bits) {
  Integer out;
  mpz_fdiv_q_2exp(out.get_mpz_t(), value.get_mpz_t(), bits);
  return out;
}

GridLogs make_logs(const Rational& omega, std::uint32_t points) {
  GridLogs out;
  std::string text;
  for (std::uint32_t g = 0; g < points; ++g) {
    out.logs.push_back(floor_log(grid_point(omega, points, g)).get_si());
    text += (g == 0 ? "" : ",") + std::to_string(out.logs.back());
  }
  out.sha256 = to_hex(postern::sha256(text));
  return out;
}

}  // namespace

Rational grid_point(const Rational& omega, std::uint32_t points, std::size_t index) {
  return omega + (1 - 2 * omega) * Rational(static_cast<unsigned long>(index)) / (points - 1);
}

Integer floor_log(const Rational& x, unsigned bits) {
  if (x == 1) return 0;
  // Every other rational has an irrational logarithm, so that enough digits part it from every integer.
  for (unsigned precision = bits + 64;; precision *= 2) {
    const Approximate found = log_of(x, precision);
    Integer least = shifted_down(found.value - found.error, precision - bits);
    if (least == shifted_down(found.value + found.error, precision - bits)) return least;
  }
}

std::shared_ptr<const GridLogs> grid_logs(const Rational& omega, std::uint32_t points) {
  // All splits of a study have the same grid: the last one is kept.
  static std::mutex lock;
  static std::pair<Rational, std::uint32_t> last{0, 0};
  static std::shared_ptr<const GridLogs> kept;
  const std::lock_guard<std::mutex> guard(lock);
  if (kept == nullptr || last.first != omega || last.second != points) {
    kept = std::make_shared<const GridLogs>(make_logs(omega, points));
    last = {omega, points};
  }
  return kept;
}

Integer grid_oscillation(const Rational& omega) { return floor_log(1 - omega) - floor_log(omega); }

}  // namespace postern::model
