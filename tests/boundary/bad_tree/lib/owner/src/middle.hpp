#pragma once
#include "postern/owner/ledger.hpp"
