#pragma once
const Kind& kind_of(const Number& model);
