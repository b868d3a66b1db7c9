// A fixture, never compiled.
#include "postern/owner/noise_source.hpp"
void say() { std::cerr << "n"; }
