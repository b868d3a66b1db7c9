#pragma once

#include <nanobind/nanobind.h>

namespace postern::bind {

void bind_predict(nanobind::module_& m);
void bind_synthesize(nanobind::module_& m);

}  // namespace postern::bind
