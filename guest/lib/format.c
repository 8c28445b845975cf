// SPDX-License-Identifier: MIT

#include <stdbool.h>

#include "internal.h"
#include "string.h"
#include "symsim.h"

struct output {
    void (*put)(void* to, char byte);
    void* to;
    int written;
};

struct field {
    unsigned width;
    bool left;   // "-": pad on the right
    bool zeros;  // "0": pad with zeros after the sign
};

static void put(struct output* out, char byte) {
    out->put(out->to, byte);
    out->written++;
}

static void put_padding(struct output* out, char byte, unsigned width, unsigned used) {
    for (; used < width; used++) put(out, byte);
}

static void put_field(struct output* out, struct field field, const char* sign, const char* text,
                      unsigned length) {
    unsigned used = strlen(sign) + length;
    if (!field.left && !field.zeros) put_padding(out, ' ', field.width, used);
    while (*sign != '\0') put(out, *sign++);
    if (!field.left && field.zeros) put_padding(out, '0', field.width, used);
    for (unsigned i = 0; i < length; i++) put(out, text[i]);
    if (field.left) put_padding(out, ' ', field.width, used);
}

static void put_number(struct output* out, struct field field, const char* sign, uint64_t value,
                       unsigned base) {
    char digits[20];  // 2^64 - 1 has 20 decimal digits
    unsigned first = sizeof digits;
    do {
        digits[--first] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    put_field(out, field, sign, digits + first, sizeof digits - first);
}

// long is 32 bits here, as int is; only ll differs.
static uint64_t take_unsigned(va_list* values, unsigned longs) {
    return longs >= 2 ? va_arg(*values, uint64_t) : va_arg(*values, unsigned);
}

static int64_t take_signed(va_list* values, unsigned longs) {
    return longs >= 2 ? va_arg(*values, int64_t) : va_arg(*values, int);
}

static void put_signed(struct output* out, struct field field, int64_t value) {
    if (value < 0)
        put_number(out, field, "-", -(uint64_t)value, 10);
    else
        put_number(out, field, "", (uint64_t)value, 10);
}

// One conversion; `format` stands behind the '%'. Returns what follows it.
static const char* put_conversion(struct output* out, const char* format, va_list* values) {
    struct field field = {0, false, false};
    unsigned longs = 0;
    for (; *format == '-' || *format == '0'; format++) {
        if (*format == '-') field.left = true;
        if (*format == '0') field.zeros = true;
    }
    for (; *format >= '0' && *format <= '9'; format++)
        field.width = field.width * 10 + (unsigned)(*format - '0');
    for (; *format == 'l'; format++) longs++;

    char conversion = *format;
    switch (conversion) {
        case 'd':
            put_signed(out, field, take_signed(values, longs));
            break;
        case 'u':
            put_number(out, field, "", take_unsigned(values, longs), 10);
            break;
        case 'x':
            put_number(out, field, "", take_unsigned(values, longs), 16);
            break;
        case 'p':
            put_number(out, field, "0x", va_arg(*values, uintptr_t), 16);
            break;
        case 's': {
            const char* text = va_arg(*values, const char*);
            put_field(out, field, "", text, strlen(text));
            break;
        }
        case 'c': {
            char byte = (char)va_arg(*values, int);
            put_field(out, field, "", &byte, 1);
            break;
        }
        case '%':
            put(out, '%');
            break;
        default:
            panic("printf: no conversion '%%%c'", conversion);
    }
    return format + 1;
}

int format_text(void (*put_byte)(void* to, char byte), void* to, const char* format,
                va_list values) {
    struct output out = {put_byte, to, 0};
    va_list rest;
    va_copy(rest, values);
    while (*format != '\0') {
        if (*format == '%')
            format = put_conversion(&out, format + 1, &rest);
        else
            put(&out, *format++);
    }
    va_end(rest);
    return out.written;
}

struct buffer {
    char* next;
    char* last;  // kept for the NUL
};

static void put_buffer(void* to, char byte) {
    struct buffer* buffer = to;
    if (buffer->next < buffer->last) *buffer->next++ = byte;
}

int snprintf(char* to, size_t size, const char* format, ...) {
    if (size == 0) panic("snprintf: no room for the NUL");
    struct buffer buffer = {to, to + size - 1};
    va_list values;
    va_start(values, format);
    int length = format_text(put_buffer, &buffer, format, values);
    va_end(values);
    *buffer.next = '\0';
    return length;
}
