/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's own log type. */

#include "log.h"

int log_type = RTE_LOGTYPE_USER1;

int
log_register(void)
{
	int type = rte_log_register("testpmd");

	if (type < 0)
		return type;
	log_type = type;
	return rte_log_set_level((uint32_t)type, RTE_LOG_DEBUG);
}
