// Simulated studies and diagnostics cannot open a ledger.
#include "postern/infer/infer.hpp"
#ifdef MUST_NOT_COMPILE
#include "postern/owner/ledger.hpp"
#endif
