#pragma once

#include "postern/model/study.hpp"

namespace postern::model {

/// The study with other facts in its model, which itself never changes.
template <class Facts, class Change>
void change_model(Study& study, const Change& change) {
  Facts facts = study.model.get<Facts>();
  change(facts);
  study.model = facts;
}

}  // namespace postern::model
