/* SPDX-License-Identifier: BSD-3-Clause */
/* The works of the tool; works.c lists them. */
#ifndef TESTS_XSK_WORKS_H
#define TESTS_XSK_WORKS_H

struct options;
struct run;

/* work_basic.c */
void work_rx(struct run *r);
void work_tx(struct run *r);
void work_l2fwd(struct run *r);
void work_hold(struct run *r);

/* work_rules.c */
void work_tx_empty_fill(struct run *r);
void work_stall(struct run *r);
void work_closed_loop(struct run *r);
void work_ping_pong(struct run *r);
void work_tx_complete(struct run *r);

/* work_attach.c */
void work_attach_loop(struct run *r);

/* work_garbage.c */
void work_garbage(struct run *r);

/* work_hostile.c */
void work_hostile(struct run *r);

/* work_fill.c */
void work_fill_again(struct run *r);
void work_fill_misaligned(struct run *r);
void work_fill_garbage(struct run *r);

/* work_shared.c */
void work_shared_garbage(struct run *r);

/* work_lengths.c */
void work_lengths(struct run *r);

/* work_sink.c */
void work_sink(struct run *r);
void work_packet_sink(struct run *r);

/* work_page_pools.c */
void work_page_pools(struct run *r);

/* work_udp_echo.c */
void work_udp_echo(struct run *r);

#endif /* TESTS_XSK_WORKS_H */
