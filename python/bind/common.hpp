#pragma once

#include <nanobind/nanobind.h>

namespace postern::bind {

/// What both sides may know: studies, noise plans, release documents, and how refusals reach Python. Compiled
/// into each extension, whose types stay its own (NB_DOMAIN).
void bind_common(nanobind::module_& m);

}  // namespace postern::bind
