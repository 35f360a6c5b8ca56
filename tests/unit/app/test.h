/* SPDX-License-Identifier: BSD-3-Clause */
/* What every unit test of ti-testpmd includes: cmocka, with the headers it wants first. */
#ifndef TESTS_UNIT_APP_TEST_H
#define TESTS_UNIT_APP_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
