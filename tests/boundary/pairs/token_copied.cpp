// One charge cannot pay twice.
#include <utility>

#include "postern/owner/charge.hpp"

using namespace postern;

owner::ChargeToken hand_over(owner::ChargeToken& token) {
#ifdef MUST_NOT_COMPILE
  return token;
#else
  return std::move(token);
#endif
}
