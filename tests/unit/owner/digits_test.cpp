#include "postern/owner/digits.hpp"

#include <string>
#include <vector>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <gtest/gtest.h>

#include "postern/core/error.hpp"

namespace postern::owner {
namespace {

using Form = CertifiedProbability::Form;
namespace mp = boost::multiprecision;
/// An independent computation: 700 bits of another library's exponential.
using Float = mp::number<mp::cpp_bin_float<700, mp::digit_base_2>>;

std::string independent(Form form, const Rational& x, unsigned bits) {
  const Float value = Float(x.get_num().get_str()) / Float(x.get_den().get_str());
  const Float e = mp::exp(-value);
  const Float p = form == Form::exp_minus  ? e
                  : form == Form::logistic ? Float(e / (1 + e))
                                           : Float((1 - e) / (1 + e));
  return mp::cpp_int(mp::floor(mp::ldexp(p, static_cast<int>(bits)))).str();
}

std::vector<Rational> arguments() {
  std::vector<Rational> out;
  for (const char* text : {"1",
                           "1/2",
                           "1/3",
                           "2",
                           "10",
                           "1/1000000000",
                           "45",
                           "89999999/2000000",
                           "44",
                           "43",
                           "90",
                           "63",
                           "64",
                           "65",
                           "123456789012345678901234567890123456789/1000000000000000000000000000000000000000",
                           "1/1180591620717411303424",
                           "1000000007/998244353",
                           "1/100000000000000000000000000000000000000000000",
                           "400/3",
                           "37/1000"}) {
    out.emplace_back(text);
  }
  return out;
}

TEST(Digits, AgreeWithAnIndependentComputation) {
  for (const Rational& x : arguments()) {
    for (const Form form : {Form::exp_minus, Form::logistic, Form::half_tanh}) {
      for (const unsigned bits : {1u, 6u, 16u, 62u, 63u, 64u, 128u, 256u, 448u}) {
        EXPECT_EQ(digits({form, x}, bits).get_str(), independent(form, x, bits))
            << x.get_str() << " bits " << bits;
      }
    }
  }
}

TEST(Digits, KnowOneOverE) {
  EXPECT_EQ(digits({Form::exp_minus, 1}, 128).get_str(16), "5e2d58d8b3bcdf1abadec7829054f90d");
}

TEST(Digits, ExtendTheirOwnPrefixes) {
  for (const Rational& x : arguments()) {
    for (const Form form : {Form::exp_minus, Form::logistic, Form::half_tanh}) {
      const Integer many = digits({form, x}, 900);
      for (const unsigned bits : {16u, 64u, 256u, 899u}) {
        EXPECT_EQ(digits({form, x}, bits), Integer(many >> (900 - bits))) << x.get_str();
      }
    }
  }
}

/// e^(10^7) has fourteen million bits; forming it would take long, and a time that depends on a score.
TEST(Digits, NeverFormHugeExponentials) {
  const Rational huge(Integer("1000000000000000000000000000000"));
  EXPECT_EQ(digits({Form::exp_minus, 10'000'000}, 254), 0);
  EXPECT_EQ(digits({Form::logistic, huge}, 448), 0);
  EXPECT_EQ(digits({Form::half_tanh, huge}, 64), (Integer(1) << 64) - 1);
}

TEST(Digits, RefuseWhatIsNoProbability) {
  EXPECT_THROW((void)digits({Form::exp_minus, 0}, 16), Error);
  EXPECT_THROW((void)digits({Form::half_tanh, Rational(-1, 2)}, 16), Error);
}

}  // namespace
}  // namespace postern::owner
