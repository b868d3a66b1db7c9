#include "postern/infer/round_fit.hpp"

#include "postern/infer/kind.hpp"

namespace postern::infer {

release::Fit round_fit(const model::Study& study, const Conversation& conversation) {
  if (!study.model.kind().has_posterior()) return {};
  const auto* fits = dynamic_cast<const FitsRounds*>(&kind_of(study.model));
  if (fits == nullptr) return {};
  return [fits, conversation](const release::Release& so_far) {
    return fits->round_table(so_far, conversation);
  };
}

}  // namespace postern::infer
