#pragma once

namespace postern::owner {

/// The numbered places between "nothing happened" and "published and noted" where a process may die
/// (docs/decisions/charge-before-noise.md). The drill stops a spender at each of them.
enum class CrashPoint {
  before_charge_commit = 1,
  after_charge_commit = 2,
  after_noise = 3,
  after_temporary_write = 4,
  before_rename = 5,
  after_rename = 6,
  before_event_commit = 7,
  after_event_commit = 8,
  after_new_key = 9,       ///< a new ledger has its key,
  before_new_ledger = 10,  ///< and is whole but has no name yet
  after_round = 11,        ///< a round of several is noised, and the next one not begun
  after_later_round = 12   ///< the same of the second and later ones
};

/// Nothing in every real build. The test-only POSTERN_MUTANTS build kills the process here (SIGKILL) when the
/// environment variable POSTERN_CRASH_AT holds the point's number.
#ifdef POSTERN_MUTANTS
void crash_point(CrashPoint point);
#else
constexpr void crash_point(CrashPoint /*point*/) {}
#endif

}  // namespace postern::owner
