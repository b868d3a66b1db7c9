#include "refuse_false.hpp"

#include "postern/core/error.hpp"
#include "postern/release/verify.hpp"

namespace postern::infer {

void refuse_false(std::span<const release::Release> releases) {
  for (const release::Release& release : releases) {
    if (release.foreign) continue;  // it claims nothing that could be verified, and the answer says so
    for (const release::Check& check : release::verify(release)) {
      if (check.passed) continue;
      throw Error(ErrorCode::release_inconsistent,
                  {release::name_of(release), " does not hold what it claims: ", from_document(check.name),
                   ": ", quote(check.detail, 200)});
    }
  }
}

}  // namespace postern::infer
