#pragma once
// An engine below the kinds knows one of them, which knows it: the wrong way, and a cycle.
#include "kinds/table/problem.hpp"
