/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The options after `--`: those of dpdk-testpmd, with its names and meanings, and those
 * of the measuring mode. Every fault is one line on stderr.
 */
#ifndef TI_TESTPMD_OPTIONS_H
#define TI_TESTPMD_OPTIONS_H

enum options_result {
	OPTIONS_RUN,	/* go on */
	OPTIONS_DONE,	/* help was shown: end with success */
	OPTIONS_BAD,	/* end with failure; the reason was said */
};

/**
 * Takes the options over into the configuration. After rte_eal_init(), with the sets of
 * ports and lcores at their default, since options are checked against what there is.
 */
enum options_result options_parse(int argc, char **argv);

#endif
