#pragma once
const Kind& kind_of(const Categorical& model);
