#include "postern/infer/infer.hpp"
#ifdef MUST_NOT_COMPILE
#include "postern/owner/gate.hpp"
#endif

int main() { return static_cast<int>(postern::infer::InferOptions{}.chains) - 4; }
