#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include <sqlite3.h>

namespace postern::fuzz {

/// Memory for SQLite that is handed out again as soon as it is given back. A connection takes a thousand
/// blocks, and under AddressSanitizer each costs more than SQLite's own work on it. Off, every block comes
/// from malloc and is watched. Blocks of both kinds may live side by side.
class SqlitePool {
 public:
  static void use_in_sqlite() {
    static sqlite3_mem_methods methods{take, give_back, resize, size_of, round_up, start, stop, nullptr};
    sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
  }
  static void turn(bool on) { pooled = on; }

 private:
  struct alignas(16) Block {
    std::size_t bytes;
    Block* next;  // while it is free; `own` marks a block of the pool in use
  };
  static constexpr std::size_t kGrain = 64;
  static constexpr std::size_t kKinds = 2048;  // blocks of up to 128 KiB

  static Block* block_of(void* memory) { return static_cast<Block*>(memory) - 1; }
  static std::size_t kind_of(std::size_t bytes) { return (bytes + kGrain - 1) / kGrain; }

  static void* take(int wanted) {
    const auto bytes = static_cast<std::size_t>(round_up(wanted));
    const std::size_t kind = kind_of(bytes);
    const bool own = pooled && kind < kKinds;
    Block* block = own ? free_blocks[kind] : nullptr;
    if (block != nullptr) {
      free_blocks[kind] = block->next;
    } else {
      block = static_cast<Block*>(std::malloc(sizeof(Block) + bytes));
      if (block == nullptr) return nullptr;
    }
    *block = {bytes, own ? &own_mark : nullptr};
    return block + 1;
  }

  static void give_back(void* memory) {
    if (memory == nullptr) return;
    Block* const block = block_of(memory);
    if (block->next != &own_mark) {
      std::free(block);
      return;
    }
    Block*& place = free_blocks[kind_of(block->bytes)];
    block->next = place;
    place = block;
  }

  static void* resize(void* memory, int wanted) {
    void* const larger = take(wanted);
    if (larger == nullptr) return nullptr;
    std::memcpy(larger, memory, std::min(block_of(memory)->bytes, block_of(larger)->bytes));
    give_back(memory);
    return larger;
  }

  static int size_of(void* memory) { return static_cast<int>(block_of(memory)->bytes); }
  static int round_up(int bytes) {
    constexpr int kStep = static_cast<int>(kGrain);
    return (bytes + kStep - 1) / kStep * kStep;
  }
  static int start(void* /*unused*/) { return SQLITE_OK; }
  static void stop(void* /*unused*/) {}

  inline static bool pooled = true;
  inline static Block own_mark{};
  inline static std::array<Block*, kKinds> free_blocks{};
};

}  // namespace postern::fuzz
