#include "middle.hpp"
