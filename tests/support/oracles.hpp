#pragma once

#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "test_data.hpp"

namespace postern {

/// Numbers computed elsewhere (tests/data/oracles/noise-aware.json): the cases under a name.
inline nlohmann::json oracle(const char* name) {
  std::ifstream in(test_data("oracles/noise-aware.json"));
  return nlohmann::json::parse(in).at(name).at("cases");
}

}  // namespace postern
