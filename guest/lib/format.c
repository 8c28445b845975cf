// SPDX-License-Identifier: MIT

// The one formatter: printf and all its variants call format_text with different `put` functions.

#include "format.h"

#include "internal.h"
#include "string.h"
#include "symsim.h"

#pragma weak symsim_format_float

void put(struct output* out, char byte) {
    out->put(out->to, byte);
    out->written++;
}

void put_repeated(struct output* out, char byte, unsigned count) {
    while (count-- != 0) put(out, byte);
}

static unsigned padding(const struct field* field, const char* sign, unsigned length) {
    unsigned used = strlen(sign) + length;
    return used < field->width ? field->width - used : 0;
}

void put_before(struct output* out, const struct field* field, const char* sign, unsigned length) {
    unsigned count = field->left ? 0 : padding(field, sign, length);
    if (!field->zeros) put_repeated(out, ' ', count);
    while (*sign != '\0') put(out, *sign++);
    if (field->zeros) put_repeated(out, '0', count);
}

void put_behind(struct output* out, const struct field* field, const char* sign, unsigned length) {
    if (field->left) put_repeated(out, ' ', padding(field, sign, length));
}

static void put_text(struct output* out, struct field field, const char* text, unsigned length) {
    field.zeros = false;
    put_before(out, &field, "", length);
    for (unsigned i = 0; i < length; i++) put(out, text[i]);
    put_behind(out, &field, "", length);
}

// A precision is the minimum number of digits. It disables "0"; precision 0 prints 0 as no digits.
static void put_number(struct output* out, struct field field, const char* sign, uint64_t value,
                       unsigned base, const char* alphabet) {
    char digits[22];  // enough for 2^64 - 1 in octal
    unsigned first = sizeof digits;
    for (; value != 0; value /= base) digits[--first] = alphabet[value % base];
    unsigned count = sizeof digits - first;
    unsigned least = field.precise ? field.precision : 1;
    if (base == 8 && field.alternate && least <= count) least = count + 1;  // "#": a leading 0
    unsigned zeros = least > count ? least - count : 0;
    if (field.precise) field.zeros = false;
    put_before(out, &field, sign, zeros + count);
    put_repeated(out, '0', zeros);
    for (unsigned i = first; i < sizeof digits; i++) put(out, digits[i]);
    put_behind(out, &field, sign, zeros + count);
}

static void put_signed(struct output* out, const struct field* field, int64_t value) {
    const char plus[2] = {field->plus, '\0'};
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    put_number(out, *field, value < 0 ? "-" : plus, magnitude, 10, "0123456789");
}

static void put_hexadecimal(struct output* out, const struct field* field, uint64_t value,
                            bool upper) {
    const char* prefix = !field->alternate || value == 0 ? "" : upper ? "0X" : "0x";
    put_number(out, *field, prefix, value, 16, upper ? "0123456789ABCDEF" : "0123456789abcdef");
}

// Size of an argument in bytes, from the length modifier. long, size_t, ptrdiff_t and pointers have
// 32 bits.
static unsigned take_size(const char** format) {
    unsigned size = 4;
    for (;; (*format)++) {
        switch (**format) {
            case 'h':
                size /= 2;
                break;
            case 'l':
                size = (*format)[1] == 'l' ? 8 : size;
                break;
            case 'j':
            case 'q':
            case 'L':
                size = 8;
                break;
            case 'z':
            case 't':
                break;
            default:
                return size;
        }
    }
}

static uint64_t take_unsigned(va_list* values, unsigned size) {
    if (size == 8) return va_arg(*values, uint64_t);
    unsigned value = va_arg(*values, unsigned);
    return size == 1 ? (uint8_t)value : size == 2 ? (uint16_t)value : value;
}

static int64_t take_signed(va_list* values, unsigned size) {
    if (size == 8) return va_arg(*values, int64_t);
    int value = va_arg(*values, int);
    return size == 1 ? (int8_t)value : size == 2 ? (int16_t)value : value;
}

// A count: a number in the format, or the next argument for '*'.
static int take_count(const char** format, va_list* values) {
    if (**format == '*') {
        (*format)++;
        return va_arg(*values, int);
    }
    int count = 0;
    for (; **format >= '0' && **format <= '9'; (*format)++) count = count * 10 + (**format - '0');
    return count;
}

static struct field take_field(const char** format, va_list* values) {
    struct field field = {0};
    for (;; (*format)++) {
        char flag = **format;
        if (flag == '-')
            field.left = true;
        else if (flag == '0')
            field.zeros = true;
        else if (flag == '#')
            field.alternate = true;
        else if (flag == '+' || (flag == ' ' && field.plus != '+'))
            field.plus = flag;
        else if (flag != ' ')
            break;
    }
    int width = take_count(format, values);
    if (width < 0) field.left = true;
    field.width = width < 0 ? -(unsigned)width : (unsigned)width;
    if (**format == '.') {
        (*format)++;
        int precision = take_count(format, values);
        field.precise = precision >= 0;  // a negative precision counts as none
        field.precision = field.precise ? (unsigned)precision : 0;
    }
    return field;
}

static void put_string(struct output* out, const struct field* field, const char* text) {
    if (text == NULL) text = "(null)";
    unsigned length = 0;
    while ((!field->precise || length < field->precision) && text[length] != '\0') length++;
    put_text(out, *field, text, length);
}

// Prints one conversion. `format` points after the '%'; returns the position after the conversion.
static const char* put_conversion(struct output* out, const char* format, va_list* values) {
    struct field field = take_field(&format, values);
    const char* length = format;
    unsigned size = take_size(&format);
    char conversion = *format;
    switch (conversion) {
        case 'd':
        case 'i':
            put_signed(out, &field, take_signed(values, size));
            break;
        case 'u':
            put_number(out, field, "", take_unsigned(values, size), 10, "0123456789");
            break;
        case 'o':
            put_number(out, field, "", take_unsigned(values, size), 8, "01234567");
            break;
        case 'x':
        case 'X':
            put_hexadecimal(out, &field, take_unsigned(values, size), conversion == 'X');
            break;
        case 'p':
            field.alternate = true;
            put_hexadecimal(out, &field, va_arg(*values, uintptr_t), false);
            break;
        case 's':
            put_string(out, &field, va_arg(*values, const char*));
            break;
        case 'c': {
            char byte = (char)va_arg(*values, int);
            put_text(out, field, &byte, 1);
            break;
        }
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
#ifdef SYMSIM_USER_PROGRAM
        case 'a':
        case 'A':
#endif
            if (symsim_format_float == NULL)
                panic("printf: '%%%c' needs #include <stdio.h>", conversion);
            symsim_format_float(out, &field, conversion, *length == 'L', values);
            break;
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
