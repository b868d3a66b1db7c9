// An engine cannot name anything of the owner's side: the header is not on its path.
#include "postern/infer/infer.hpp"
#ifdef MUST_NOT_COMPILE
#include "postern/owner/gate.hpp"
#endif
