#include "postern/release/foreign.hpp"

#include "postern/core/error.hpp"
#include "postern/core/sha256.hpp"

#include "foreign_json.hpp"

namespace postern::release {

Release foreign_release(model::Study study, model::Foreign foreign) {
  model::check_study(study);
  model::check_foreign(foreign, study);
  Release out;
  if (foreign.n) {
    out.n = PublicCount{*foreign.n};
  } else {
    out.n = PrivateCount{*study.privacy.n_at_most};
  }
  out.software = foreign.made_by;
  out.counted_by_caller = true;
  out.study = std::move(study);
  out.foreign = std::move(foreign);
  out.release_id = to_hex(sha256(to_canonical(foreign_declaration(out)))).substr(0, 32);
  // A name that no other release has keeps one without records of its own from being joined to any.
  out.ledger.record_set = out.foreign->record_set.value_or("foreign " + out.release_id);
  return out;
}

NoiseLaw noise_law(const model::ForeignBlock& block, double unit) {
  const double scale = block.scale.get_d() / unit;
  const bool whole = unit == 1;  // in other units discrete noise is no longer whole, but falls alike
  switch (block.law) {
    case model::ForeignLaw::discrete_laplace:
      if (whole) return DiscreteLaplace(1 / scale);
      return Laplace(scale);
    case model::ForeignLaw::laplace:
      return Laplace(scale);
    case model::ForeignLaw::discrete_gaussian:
      if (whole) return DiscreteGaussian(scale * scale);
      return Gaussian(scale * scale);
    case model::ForeignLaw::gaussian:
      break;
  }
  return Gaussian(scale * scale);
}

std::string unverified_claim(const Release& release) {
  const model::Foreign& foreign = *release.foreign;
  std::string out;
  for (const model::ForeignBlock& block : foreign.blocks) {
    out += (out.empty() ? "" : "; ") + std::string(to_text(block.law)) + " noise of scale " +
           to_decimal(block.scale, 18) + " in the " +
           block.statistic.kind().text(block.statistic, release.study.schema);
  }
  return out + ": said to have been added by " + foreign.made_by +
         ", and not verified by us. The answer is as good as that claim";
}

}  // namespace postern::release
