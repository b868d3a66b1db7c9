// Another room's private header by a way around, and an include that does not say what it means.
#include "../../../owner/src/ledger/database.hpp"
#define HEADER "postern/owner/gate.hpp"
#include HEADER

#include "ledger/gone.hpp"
