#include "postern/owner/fixed_exp.hpp"

#include "postern/owner/digits.hpp"

namespace postern::owner {
namespace {

std::uint64_t entry(unsigned top, unsigned bottom) {
  if (top == 0) return std::uint64_t{1} << 63;
  Rational z(top, bottom);
  z.canonicalize();
  return digits({CertifiedProbability::Form::exp_minus, z}, 63).get_ui();
}

}  // namespace

FixedExp::FixedExp() {
  for (unsigned i = 0; i < whole_.size(); ++i) whole_[i] = entry(i, 1);
  for (unsigned j = 0; j < part_.size(); ++j) part_[j] = entry(j, 256);
}

const FixedExp& FixedExp::tables() {
  static const FixedExp tables;
  return tables;
}

}  // namespace postern::owner
