#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

namespace postern::experiments {

/// What experiments/run asks of a program.
struct Command {
  std::string what;  ///< a figure or table
  std::filesystem::path out;
  bool quick = false;
  std::uint64_t seed = 1;
  int threads = 0;
  std::string data;
  std::string only;
  std::string bounds;
  std::uint64_t n = 0;  ///< records; 0: as many as the figure has
};

/// FIGURE --out DIR [--quick] [--seed S] [--threads T], FIGURE being one of "a|b|all", and of --data, --only,
/// --n and --bounds those in `more`. Throws std::invalid_argument.
[[nodiscard]] Command read_command(int argc, char** argv, const std::string& figures,
                                   std::initializer_list<std::string_view> more = {});

/// Shows how much is done, where stderr is a terminal.
void tell_progress(double done);

}  // namespace postern::experiments
