#pragma once

// What every target shares. The options keep all checks of AddressSanitizer and make them cheap: an exception
// sweeps the fake stack, so a small one; a run of a few kilobytes needs no quarantine of 256 MB; and a fault
// is replayed with deep stacks (ASAN_OPTIONS=malloc_context_size=30).

extern "C" const char*
__asan_default_options() {  // NOLINT(*-reserved-identifier,misc-definitions-in-headers)
  return "max_uar_stack_size_log=16:quarantine_size_mb=8:malloc_context_size=2";
}

namespace postern::fuzz {

/// What does not hold is a finding.
inline void demand(bool holds) {
  if (!holds) __builtin_trap();
}

}  // namespace postern::fuzz
