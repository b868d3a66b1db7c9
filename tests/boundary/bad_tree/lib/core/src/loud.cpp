// Each line prints.
void by_fputs() { fputs("n", file); }
void by_write() { ::write(fd, "n", 1); }
void by_unqualified_write() { write(2, "n", 1); }
void by_builtin() { __builtin_printf("n"); }
void by_puts() { puts("n"); }
void by_stream() { std::cout << "n"; }
void by_file(FILE* file = stderr);
