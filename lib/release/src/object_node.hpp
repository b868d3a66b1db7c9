#pragma once

#include <memory>
#include <string>
#include <vector>

#include "postern/model/node.hpp"

#include "object_reader.hpp"

namespace postern::release {

/// An object of a document, for kinds and statistics to read themselves from.
class ObjectNode : public model::Node {
 public:
  explicit ObjectNode(ObjectReader reader) : reader_(std::move(reader)) {}

  [[nodiscard]] bool states_all() const override { return true; }
  void allow(std::span<const std::string_view> /*known*/) override {}
  using Node::allow;
  [[nodiscard]] bool has(std::string_view key) override { return reader_.find(key) != nullptr; }
  [[nodiscard]] bool is_list(std::string_view key) override;
  [[nodiscard]] bool is_text(std::string_view key) override;
  [[nodiscard]] bool is_table(std::string_view key) override;
  [[nodiscard]] std::string text(std::string_view key) override { return reader_.text(key); }
  [[nodiscard]] bool truth(std::string_view key) override;
  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t lo, std::int64_t hi) override {
    return reader_.integer(key, lo, hi);
  }
  [[nodiscard]] Rational rational(std::string_view key) override { return reader_.rational(key); }
  [[nodiscard]] std::vector<std::string> texts(std::string_view key) override;
  [[nodiscard]] std::vector<Rational> rationals(std::string_view key, std::size_t count) override;
  [[nodiscard]] std::vector<std::vector<std::string>> text_rows(std::string_view key,
                                                                std::size_t width) override;
  [[nodiscard]] std::vector<Rational> rational_rows(std::string_view key, std::size_t rows,
                                                    std::size_t width) override;
  [[nodiscard]] std::uint32_t level(std::string_view key, const model::Column& column) override;
  [[nodiscard]] std::unique_ptr<Node> inner(std::string_view key) override {
    return std::make_unique<ObjectNode>(reader_.object(key));
  }
  [[nodiscard]] std::unique_ptr<Node> beside(std::string_view key) override { return inner(key); }
  void finish() override { reader_.refuse_rest(); }

 protected:
  [[nodiscard]] Error refusal(ErrorCode code, std::string_view key, const PublicText& text) override;

 private:
  ObjectReader reader_;
};

}  // namespace postern::release
