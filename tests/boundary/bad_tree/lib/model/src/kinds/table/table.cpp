// The kind that answers by the name "table"; it knows another kind, which is refused.
#include "postern/model/kinds/table.hpp"

#include "postern/model/kinds/number.hpp"

class TableKind final : public Kind {
 public:
  std::string_view name() const override { return "table"; }
};
