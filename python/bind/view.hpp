#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace postern::bind {

/// Numbers that stay where they are: the array keeps their holder alive, and cannot be written.
template <class Holder>
auto view(const Holder& holder, const std::vector<double>& numbers,
          std::initializer_list<std::size_t> shape) {
  return nanobind::ndarray<nanobind::numpy, const double>(numbers.data(), shape, nanobind::find(holder));
}

}  // namespace postern::bind
