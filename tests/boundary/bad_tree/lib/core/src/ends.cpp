// Each line ends the process; the words in this comment, abort() and exit(1), and in "exit(1)" do not.
void by_terminate() { std::terminate(); }
void by_abort() { std::abort(); }
void by_trap() { __builtin_trap(); }
void by_signal() { raise(SIGABRT); }
