#pragma once

#include <nanobind/nanobind.h>

namespace postern::bind {

void bind_network(nanobind::module_& m);

}  // namespace postern::bind
