// The look at the records, by a path and not by a public header: both are refused.
#include "../gate/gate_file.hpp"
#include "ledger/database.hpp"
