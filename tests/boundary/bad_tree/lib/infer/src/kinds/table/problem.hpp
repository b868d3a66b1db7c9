#pragma once
#include "counts/tree.hpp"
