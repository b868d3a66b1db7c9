#include "vector_reader.hpp"

namespace postern::model {

MultivariateNormal read_vector(const TomlTable& table) {
  table.allow({"kind", "family", "columns", "prior"});
  MultivariateNormal model;
  model.columns = table.texts("columns");
  if (!table.has("prior")) {
    table.refuse(
        ErrorCode::missing_key, "",
        {"family \"multivariate-normal\" has no prior that suits everyone; write prior = { "
         "normal-inverse-wishart = { mean = [..], weight = 1, degrees = .., scale = [[..], [..]] } }"});
  }
  const TomlTable named = table.table("prior");
  named.allow({"normal-inverse-wishart"});
  const TomlTable prior = named.table("normal-inverse-wishart");
  prior.allow({"mean", "weight", "degrees", "scale"});
  model.mean = prior.decimals("mean", model.columns.size());
  model.weight = prior.decimal("weight");
  model.degrees = prior.decimal("degrees");
  model.scale = prior.decimal_rows("scale", model.columns.size());
  return model;
}

}  // namespace postern::model
