// Another kind's facts, asked for inside a kind.
#include "postern/model/kinds/number.hpp"
bool is_table(const Model& model) { return model.as<Categorical>() != nullptr; }
