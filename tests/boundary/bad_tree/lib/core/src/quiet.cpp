// A file with no fault: words in literals and comments are for people. std::cout, std::abort()
const char* kUsage = "// write(1, x) to stdout, then exit(0)";
const long kThousands = 1'000'000;  // 'puts("n")'
void put() { log.write(2, "n"); }
