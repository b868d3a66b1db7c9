// The document knows neither side.
#include "postern/release/release.hpp"
#ifdef MUST_NOT_COMPILE
#include "postern/infer/infer.hpp"
#endif
