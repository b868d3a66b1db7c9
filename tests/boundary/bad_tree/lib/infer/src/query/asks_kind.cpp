// A kind is asked for by name and by type outside of its folder.
bool by_name(const Model& model) { return model.kind().name() == "table"; }
bool by_name_backwards(std::string_view word) { return "table" == word; }
bool by_type(const Model& model) { return &model.kind() == &kind_of(model::Number{}); }
bool by_facts(const Model& model) { return model.as<postern::model::Categorical>() != nullptr; }
bool by_id(const Model& model) { return typeid(model.kind()) == other; }
