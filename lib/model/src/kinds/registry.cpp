#include <array>

#include "postern/model/kinds/bayes_net.hpp"
#include "postern/model/kinds/choice.hpp"
#include "postern/model/kinds/generalised_linear.hpp"
#include "postern/model/kinds/linear_regression.hpp"
#include "postern/model/kinds/logistic_regression.hpp"
#include "postern/model/kinds/markov_chain.hpp"
#include "postern/model/kinds/markov_net.hpp"
#include "postern/model/kinds/multivariate_normal.hpp"
#include "postern/model/kinds/number.hpp"
#include "postern/model/kinds/principal_component.hpp"
#include "postern/model/kinds/quantiles.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/model.hpp"

// Nothing else may be defined here: a test links a registry of its own in place of this one.
namespace postern::model {

std::span<const Kind* const> kinds() {
  static const std::array kKinds{&kind_of(Categorical{}),
                                 &kind_of(MultivariateNormal{}),
                                 &kind_of(Number{}),
                                 &kind_of(Quantiles{}),
                                 &kind_of(BayesNet{}),
                                 &kind_of(BayesNet{{}, ""}),
                                 &kind_of(Choice{}),
                                 &kind_of(LinearRegression{}),
                                 &kind_of(LogisticRegression{}),
                                 &kind_of(MarkovNet{}),
                                 &kind_of(PrincipalComponent{}),
                                 &kind_of(MarkovChain{}),
                                 &kind_of(GeneralisedLinear{GlmFamily::poisson, {}, {}})};
  return kKinds;
}

}  // namespace postern::model
