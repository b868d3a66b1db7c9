#pragma once

namespace postern {

/// Planted bugs. `mutant(k)` is false in every real build; the test-only POSTERN_MUTANTS build reads the
/// number of the one bug to switch on from the environment variable POSTERN_MUTANT, and CI demands that each
/// is caught.
#ifdef POSTERN_MUTANTS
[[nodiscard]] bool mutant(int number);
#else
[[nodiscard]] constexpr bool mutant(int /*number*/) { return false; }
#endif

}  // namespace postern
