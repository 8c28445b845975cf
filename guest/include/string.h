// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

// The compiler generates calls of the first four.
void* memcpy(void* to, const void* from, size_t bytes);
void* memmove(void* to, const void* from, size_t bytes);
void* memset(void* to, int value, size_t bytes);
int memcmp(const void* a, const void* b, size_t bytes);
void* memchr(const void* bytes, int byte, size_t count);

size_t strlen(const char* text);
size_t strnlen(const char* text, size_t most);

int strcmp(const char* a, const char* b);
int strncmp(const char* a, const char* b, size_t most);
int strcoll(const char* a, const char* b);  // as strcmp: the only locale is "C"
size_t strxfrm(char* to, const char* from, size_t size);

char* strcpy(char* to, const char* from);
char* strncpy(char* to, const char* from, size_t size);
char* stpcpy(char* to, const char* from);
char* strcat(char* to, const char* from);
char* strncat(char* to, const char* from, size_t most);
char* strdup(const char* text);
char* strndup(const char* text, size_t most);

char* strchr(const char* text, int byte);
char* strrchr(const char* text, int byte);
char* strstr(const char* text, const char* part);
size_t strspn(const char* text, const char* accepted);
size_t strcspn(const char* text, const char* rejected);
char* strpbrk(const char* text, const char* wanted);
char* strtok(char* text, const char* separators);  // one text at a time: not for several processors
char* strtok_r(char* text, const char* separators, char** rest);

char* strerror(int error);
