// The header of the look at the records brings nothing of the gate, the ledger or noise with it.
#include "postern/owner/check.hpp"

bool by_people(const postern::owner::RecordsCheck& check) { return check.people.has_value(); }

#ifdef MUST_NOT_COMPILE
const auto* const wall = &postern::owner::pass_gate;
#endif
