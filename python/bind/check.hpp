#pragma once

#include <nanobind/nanobind.h>

namespace postern::bind {

/// A look at the records, for their owner's eyes.
void bind_check(nanobind::module_& m);

}  // namespace postern::bind
