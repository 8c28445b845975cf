// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 0x7FFFFFFF

// ---- memory: all that the machine has after the program; any processor may call ----
void* malloc(size_t bytes);  // aligned to 16; NULL if no free block is large enough
void* calloc(size_t count, size_t bytes);
void* realloc(void* block, size_t bytes);
void free(void* block);

// ---- end of the run ----
_Noreturn void exit(int status);
_Noreturn void abort(void);

// ---- sorting ----
typedef int symsim_comparison(const void* a, const void* b);
void qsort(void* base, size_t count, size_t bytes, symsim_comparison* compare);
void* bsearch(const void* key, const void* base, size_t count, size_t bytes,
              symsim_comparison* compare);

// ---- numbers from text ----
int atoi(const char* text);
long atol(const char* text);
long long atoll(const char* text);
double atof(const char* text);
long strtol(const char* text, char** end, int base);
unsigned long strtoul(const char* text, char** end, int base);
long long strtoll(const char* text, char** end, int base);
unsigned long long strtoull(const char* text, char** end, int base);
float strtof(const char* text, char** end);
double strtod(const char* text, char** end);
long double strtold(const char* text, char** end);

// ---- integers ----
typedef struct {
    int quot, rem;
} div_t;
typedef struct {
    long quot, rem;
} ldiv_t;
typedef struct {
    long long quot, rem;
} lldiv_t;
int abs(int value);
long labs(long value);
long long llabs(long long value);
div_t div(int dividend, int divisor);
ldiv_t ldiv(long dividend, long divisor);
lldiv_t lldiv(long long dividend, long long divisor);

// ---- random numbers: one sequence for all processors (per processor: random_next, symsim.h) ----
int rand(void);
void srand(unsigned seed);
double drand48(void);  // 0 or more, less than 1
long lrand48(void);    // 31 bits
long mrand48(void);    // 32 bits, signed
void srand48(long seed);

// ---- environment: there is none ----
char* getenv(const char* name);
