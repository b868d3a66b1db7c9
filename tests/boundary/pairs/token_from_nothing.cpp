// Only the ledger makes a token.
#include <utility>

#include "postern/owner/charge.hpp"

using namespace postern;

owner::ChargeToken obtain(owner::ChargeToken paid) {
#ifdef MUST_NOT_COMPILE
  owner::ChargeToken token;
  return token;
#else
  return paid;
#endif
}
