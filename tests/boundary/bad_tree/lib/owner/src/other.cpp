#include "postern/owner/check.hpp"
