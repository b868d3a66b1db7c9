#include "query/given_prior.hpp"

#include "postern/model/prior_text.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

void give_prior(const std::string& words, std::vector<release::Release>& releases, InferOptions& options) {
  if (!model::says_learned(words)) {
    options.prior = model::parse_prior(words, releases.front().study);
    return;
  }
  for (release::Release& release : releases)
    release.study.model = release.study.model.kind().with_learned_prior(release.study.model);
}

}  // namespace postern::infer
