#include "postern/release/document.hpp"

#include "postern/core/sha256.hpp"

#include "measurement_json.hpp"
#include "release_json.hpp"
#include "study_json.hpp"

namespace postern::release {

std::string to_document(const Release& release) {
  return to_canonical(release_json(release, WithSignature::yes)) + "\n";
}

std::string study_document(const model::Study& study) { return to_canonical(study_json(study)); }

std::string plan_document(const model::Study& study, const model::NoisePlan& plan) {
  JsonArray blocks;
  for (const model::Block& block : plan.measurement.blocks)
    blocks.push_back(json_object(block_json(block, study.schema)));
  return to_canonical(json_object({{"blocks", json_array(std::move(blocks))},
                                   {"cost", cost_json(plan.cost)},
                                   {"mechanism", json_text(to_text(plan.mechanism))},
                                   {"study_sha256", json_text(to_hex(sha256(study_document(study))))}}));
}

}  // namespace postern::release
