// A fixture: every line breaks a rule that tools/check_layers.py must see. It is never compiled.
#include "postern/owner/gate.hpp"
const auto* table = study.model.as<model::Categorical>();
