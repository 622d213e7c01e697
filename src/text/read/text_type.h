/* SPDX-License-Identifier: MIT */
/* The types of fields. INTEGER and FLOAT are any dtype of that kind. REQUEST_PATH is the part /a/b
** of "GET /a/b?c HTTP/1.1". NOTHING is empty, behind the separator that ends each line. A guess is
** a type that the text decides; guess.h says how. */
#ifndef LOCUS_TEXT_TYPE_H
#define LOCUS_TEXT_TYPE_H

typedef enum text_type {
#define TYPE(id, name, word, means, called) TEXT_##id,
#include "text/read/text_type.def"
} text_type;

enum {
  TEXT_TYPES = 0 /* how many these are */
#define TYPE(id, name, word, means, called) +1
#include "text/read/text_type.def"
};

#endif
