#pragma once

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>

namespace postern::bench {

/// CPU seconds of this process, all threads.
inline double cpu_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// CPU seconds of a fixed loop, run beside every measurement, so that numbers from different machines can be
/// compared.
inline double yardstick() {
  const double start = cpu_seconds();
  std::uint64_t x = 88172645463325252u;
  for (int i = 0; i < 100'000'000; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  volatile std::uint64_t sink = x;
  (void)sink;
  return cpu_seconds() - start;
}

/// Prints entries as a JSON array: {name, value, unit, bar, yardstick}. `bar` is text such as ">= 5e6", or
/// empty.
class Report {
 public:
  Report() : yardstick_(yardstick()) { std::printf("["); }
  ~Report() { std::printf("\n]\n"); }
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;
  void add(const std::string& name, double value, const std::string& unit, const std::string& bar = "") {
    std::printf(
        "%s\n  {\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", \"bar\": \"%s\", \"yardstick\": %.6g}",
        first_ ? "" : ",", name.c_str(), value, unit.c_str(), bar.c_str(), yardstick_);
    first_ = false;
  }

 private:
  double yardstick_;
  bool first_ = true;
};

}  // namespace postern::bench
