#pragma once

#include <optional>
#include <vector>

#include "postern/model/plan.hpp"

namespace postern::model {

/// What a regression's release measures, noised for a budget. By default noise is in proportion to what a
/// record can add, the number of records included where it is private; in zCDP squares have twice the
/// variance of the others (moments/cost.md). Where products of two features are not worth their part of the
/// budget, sums of y, of x and of xy have 6, 3 and 3 times the precision: the study leaves the products out,
/// or they would drown even with as many records as its n.at_most allows, and then they have a twentieth.
/// Study, mechanism and budget alone settle that.
[[nodiscard]] std::vector<Block> design_moments(const Study& study, const Request& request,
                                                const Rational& budget);

/// The deviation of noise on products of two features, in sums of w_i w_j, if all had the same share of the
/// budget, whether the study leaves them out or not; nothing where there are no such products.
[[nodiscard]] std::optional<double> noise_of_products(const Study& study, const Rational& budget);

/// What the products of n records with the prior's spread would add up to.
[[nodiscard]] double signal_of_products(const Study& study, double n);

/// Would noise drown them? Where its deviation is above 0.3 of the signal.
[[nodiscard]] bool products_drown(double noise, double signal);

/// Would they drown whatever n is, as far as the study says?
[[nodiscard]] bool products_surely_drown(const Study& study, const Rational& budget);

}  // namespace postern::model
