/* SPDX-License-Identifier: BSD-3-Clause */
/* The link partner's loop, see engine.h. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "engine.h"

#define NS_PER_SEC	1000000000ULL
#define NS_PER_MS	1000000ULL
#define SLEEP_MAX	(50 * NS_PER_MS)	/* how late a signal may be noticed */
#define SLEEP_RETRY	(NS_PER_MS / 5)		/* when nothing tells of room */
#define ARP_INTERVAL	(200 * NS_PER_MS)
#define RX_ROUNDS	64	/* batches received before the clock is looked at again */
#define PACE_BACKLOG	(2 * PORT_BATCH)	/* frames overdue that are caught up with */

static uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_SEC + (uint64_t)ts.tv_nsec;
}

int engine_init(struct engine *e, const struct options *o, struct port *port,
		const uint8_t iface_mac[6])
{
	unsigned int i;

	memset(e, 0, sizeof(*e));
	e->o = o;
	e->port = port;
	e->target = *o;
	if (o->iface && !o->have_src_mac)
		memcpy(e->target.src_mac, iface_mac, 6);
	memcpy(e->answer.mac, e->target.src_mac, 6);
	/* While it asks by ARP, it must itself be known to the far end. */
	if (o->answer)
		e->answer.ip = o->answer_ip;
	else if (o->have_to)
		e->answer.ip = o->src_ip;

	if (track_init(&e->watched, 1))
		goto fail;
	if (port_batch_init(&e->tx) || port_batch_init(&e->ctl) || port_batch_init(&e->rx))
		goto fail;
	if (o->replay) {
		if (replay_load(&e->replay, o->replay))
			goto fail;
	} else {
		for (i = 0; i < o->streams; i++)
			if (stream_init(&e->stream[i], &e->target, i))
				goto fail;
	}
	if (o->dump_bad) {
		e->dump_pcap = pcap_open_dead(DLT_EN10MB, PORT_BUF);
		e->dump = e->dump_pcap ? pcap_dump_open(e->dump_pcap, o->dump_bad) : NULL;
		if (!e->dump) {
			fprintf(stderr, "wire: --dump-bad: %s\n",
				e->dump_pcap ? pcap_geterr(e->dump_pcap) : "no memory");
			goto fail;
		}
	}
	return 0;
fail:
	engine_free(e);
	return -1;
}

void engine_free(struct engine *e)
{
	unsigned int i;

	if (e->dump)
		pcap_dump_close(e->dump);
	if (e->dump_pcap)
		pcap_close(e->dump_pcap);
	e->dump = NULL;
	e->dump_pcap = NULL;
	for (i = 0; i < OPT_MAX_STREAMS; i++)
		if (e->stream[i].tmpl)
			stream_free(&e->stream[i]);
	replay_free(&e->replay);
	track_free(&e->watched);
	port_batch_free(&e->tx);
	port_batch_free(&e->ctl);
	port_batch_free(&e->rx);
}

/* --- receive ------------------------------------------------------------ */

/* Take all that is there. Return: frames, or -1 after one line on stderr. */
static int engine_receive(struct engine *e)
{
	unsigned int round;
	int total = 0;

	for (round = 0; round < RX_ROUNDS; round++) {
		uint64_t now;
		int i, n;

		/* One batch of echoes fits; no more is taken in until it is out. */
		if (e->o->echo && e->ctl_to)
			break;
		n = port_recv(e->port, &e->rx);
		if (n < 0) {
			fprintf(stderr, "wire: cannot receive on %s: %s\n", e->port->name, strerror(-n));
			return -1;
		}
		if (!n)
			break;
		now = clock_ns();
		for (i = 0; i < n; i++)
			if (engine_frame(e, port_batch_frame(&e->rx, (unsigned int)i),
					 e->rx.msg[i].msg_len,
					 e->rx.msg[i].msg_hdr.msg_flags & MSG_TRUNC, now))
				return -1;
		total += n;
		if (n < PORT_BATCH && e->port->packet)
			break;
	}
	return total;
}

/* --- send --------------------------------------------------------------- */

/* Send what waits in a batch. Return: frames taken, or -1 after one line. */
static int engine_push(struct engine *e, struct port_batch *b, unsigned int *from, unsigned int *to)
{
	int n;

	if (*from == *to)
		return 0;
	n = port_send(e->port, b, *from, *to);
	if (n < 0) {
		fprintf(stderr, "wire: cannot send %zu bytes on %s: %s\n", b->iov[*from].iov_len,
			e->port->name, strerror(-n));
		return -1;
	}
	*from += (unsigned int)n;
	if (*from == *to)
		*from = *to = 0;
	return n;
}

/* Frames under way that the window counts. */
static uint64_t engine_under_way(const struct engine *e)
{
	uint64_t n = e->made - e->sent;
	unsigned int i;

	for (i = 0; i < engine_streams(e); i++)
		if (e->o->streams == 1 || e->stream[i].opt->expect != EXPECT_NONE)
			n += stream_under_way(&e->stream[i]);
	return n;
}

/* How many frames may be made now? */
static unsigned int engine_allowance(struct engine *e, uint64_t now)
{
	const struct options *o = e->o;
	uint64_t n = PORT_BATCH;

	if (!e->started || e->sending_done || !engine_sends(e))
		return 0;
	if (o->send && n > o->send - e->made)
		n = o->send - e->made;
	if (o->replay && !o->send && o->seconds <= 0 && n > e->replay.frames - e->made)
		n = e->replay.frames - e->made;
	if (o->window) {
		uint64_t under_way = engine_under_way(e);

		if (under_way >= o->window)
			return 0;
		if (n > o->window - under_way)
			n = o->window - under_way;
	}
	if (o->rate > 0) {
		double due = (double)(now - e->pace_base) * o->rate / 1e9 + 1;

		/* What the far end held back is not made up for in one burst. */
		if (due - (double)e->pace_sent > PACE_BACKLOG) {
			e->pace_base = now;
			e->pace_sent = 0;
			due = 1;
		}
		if (due < (double)e->pace_sent + 1)
			return 0;
		if ((double)n > due - (double)e->pace_sent)
			n = (uint64_t)(due - (double)e->pace_sent);
	}
	return (unsigned int)n;
}

static void engine_make(struct engine *e, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++, e->made++) {
		uint8_t *buf = port_batch_frame(&e->tx, e->tx_to);
		size_t len;

		if (e->o->replay) {
			const uint8_t *data = replay_frame(&e->replay, e->made, &len);

			memcpy(buf, data, len);
		} else {
			struct stream *s = stream_choose(e->stream, e->o->streams);

			len = stream_fill(s, buf);
			e->tx_stream[e->tx_to] = s;
		}
		e->tx.iov[e->tx_to++].iov_len = len;
	}
}

/* Return: frames taken, or -1. */
static int engine_send(struct engine *e, uint64_t now)
{
	unsigned int from, i;
	int n;

	if (e->tx_from == e->tx_to)
		engine_make(e, engine_allowance(e, now));
	from = e->tx_from;
	n = engine_push(e, &e->tx, &e->tx_from, &e->tx_to);
	if (n <= 0)
		return n;
	for (i = from; i < from + (unsigned int)n; i++) {
		size_t len = e->tx.iov[i].iov_len;

		if (e->o->replay)
			replay_sent(&e->replay, e->sent);
		else
			stream_sent(e->tx_stream[i], (uint16_t)len, now);
		e->sent++;
		e->sent_bytes += len;
	}
	e->pace_sent += (uint64_t)n;
	if (!e->first_tx)
		e->first_tx = now;
	e->last_tx = now;
	e->last_progress = now;
	return n;
}

/* --- course of the run --------------------------------------------------- */

static void engine_arp(struct engine *e, uint64_t now)
{
	if (now < e->next_arp || e->ctl_to == PORT_BATCH)
		return;
	e->ctl.iov[e->ctl_to].iov_len =
		answer_arp_request(&e->answer, e->o->dst_ip, port_batch_frame(&e->ctl, e->ctl_to));
	e->ctl_to++;
	e->next_arp = now + ARP_INTERVAL;
}

/* Wait for the far end to be there. Return: 0, or -1 after one line on stderr. */
static int engine_start(struct engine *e, uint64_t now)
{
	bool ask = engine_sends(e) && e->o->have_to && !e->target.have_dst_mac && !e->o->replay;
	bool there = port_ready(e->port) || !engine_sends(e);

	if (there && !ask) {
		e->started = true;
		e->start = now;
		e->pace_base = now;
		e->last_progress = now;
		fprintf(stderr, "wire: ready\n");
		return 0;
	}
	if (there)
		engine_arp(e, now);
	if (now - e->begin < e->o->wait_ms * NS_PER_MS)
		return 0;
	if (there)
		fprintf(stderr, "wire: no ARP answer from %u.%u.%u.%u in %u ms (--dst gives the address)\n",
			e->o->dst_ip >> 24, e->o->dst_ip >> 16 & 255, e->o->dst_ip >> 8 & 255,
			e->o->dst_ip & 255, e->o->wait_ms);
	else
		fprintf(stderr, "wire: nobody at %s in %u ms\n", e->port->remote.sun_path, e->o->wait_ms);
	return -1;
}

static bool engine_all_made(const struct engine *e)
{
	const struct options *o = e->o;

	if (o->send)
		return e->made >= o->send;
	return o->replay && o->seconds <= 0 && e->made >= e->replay.frames;
}

/* A window that nothing comes back into opens again after the timeout. */
static void engine_timeout(struct engine *e, uint64_t now)
{
	unsigned int i;

	if (!e->o->window || e->sending_done || e->tx_from != e->tx_to || !engine_under_way(e) ||
	    now - e->last_progress < e->o->timeout_ms * NS_PER_MS)
		return;
	for (i = 0; i < engine_streams(e); i++)
		stream_give_up(&e->stream[i]);
	e->timeouts++;
	e->last_progress = now;
}

static bool engine_quiet(const struct engine *e, uint64_t now)
{
	uint64_t last = e->last_tx > e->last_rx ? e->last_tx : e->last_rx;

	if (last < e->start)
		last = e->start;
	return now - last >= e->o->quiet_ms * NS_PER_MS;
}

/* With a window, a frame is lost only when it is not back in time, the last ones too. */
static bool engine_waits(const struct engine *e, uint64_t now)
{
	unsigned int i;

	if (!e->o->window || now - e->last_progress >= e->o->timeout_ms * NS_PER_MS)
		return false;
	for (i = 0; i < engine_streams(e); i++)
		if (e->stream[i].opt->expect != EXPECT_NONE && stream_under_way(&e->stream[i]))
			return true;
	return false;
}

/* Is the run over? Return: 1 yes, 0 no, -1 after one line on stderr. */
static int engine_over(struct engine *e, uint64_t now)
{
	const struct options *o = e->o;
	bool timed_out = o->seconds > 0 && e->started && now - e->start >= o->seconds * 1e9;

	if (!e->started)
		return e->interrupted;
	if (engine_sends(e)) {
		if (!e->sending_done && (e->interrupted || timed_out ||
					 (engine_all_made(e) && e->tx_from == e->tx_to))) {
			e->sending_done = true;
			e->tx_from = e->tx_to = 0;	/* made, but never sent */
		}
		if (e->sending_done)
			return engine_quiet(e, now) && !engine_waits(e, now);
		if (now - e->last_progress > o->wait_ms * NS_PER_MS &&
		    (e->tx_from != e->tx_to || !e->port->connected)) {
			fprintf(stderr, "wire: the far end took no frame for %u ms (%llu sent)\n",
				o->wait_ms, (unsigned long long)e->sent);
			return -1;
		}
		return 0;
	}
	if (e->interrupted || timed_out)
		return o->receive_only ? engine_quiet(e, now) || timed_out : 1;
	if (!o->receive_only || !o->quiet_ms)
		return 0;
	if (!e->last_rx) {
		if (now - e->start < o->wait_ms * NS_PER_MS)
			return 0;
		fprintf(stderr, "wire: nothing came in %u ms\n", o->wait_ms);
		return -1;
	}
	return engine_quiet(e, now);
}

static void engine_sleep(const struct engine *e, uint64_t now)
{
	bool full = e->o->echo && e->ctl_to;	/* then engine_receive() takes nothing */
	struct pollfd p = { .fd = e->port->fd, .events = full ? 0 : POLLIN };
	bool pending = e->tx_from != e->tx_to || e->ctl_from != e->ctl_to;
	uint64_t ns = SLEEP_MAX, due;
	struct timespec ts;

	if (pending && e->port->tx_wait == PORT_WAIT_POLLOUT)
		p.events |= POLLOUT;
	else if (pending || !e->started)
		ns = SLEEP_RETRY;
	else if (e->o->rate > 0 && e->started && !e->sending_done && engine_sends(e)) {
		due = e->pace_base + (uint64_t)((double)e->pace_sent * 1e9 / e->o->rate);
		due = due > now ? due - now : 0;
		/* with a full window it is not the clock that we wait for */
		if (due < ns && due)
			ns = due;
	}
	if (e->o->window && ns > NS_PER_MS)
		ns = NS_PER_MS;
	ts.tv_sec = 0;
	ts.tv_nsec = (long)ns;
	/* Whatever ends the sleep, the loop looks at everything again. */
	(void)ppoll(&p, 1, &ts, NULL);
}

int engine_run(struct engine *e, const volatile int *stop)
{
	int over, got, answered, sent;
	uint64_t now;

	e->begin = clock_ns();
	for (;;) {
		got = engine_receive(e);
		if (got < 0)
			return -1;
		now = clock_ns();
		if (*stop && !e->interrupted) {
			e->interrupted = true;
			if (e->started && now - e->last_rx > e->o->quiet_ms * NS_PER_MS)
				e->last_rx = now;	/* the silence is counted from here */
		}
		if (!e->started && engine_start(e, now))
			return -1;
		answered = engine_push(e, &e->ctl, &e->ctl_from, &e->ctl_to);
		if (answered < 0)
			return -1;
		engine_timeout(e, now);
		sent = engine_send(e, now);
		if (sent < 0)
			return -1;
		over = engine_over(e, now);
		if (over)
			break;
		if (!got && !answered && !sent)
			engine_sleep(e, now);
	}
	port_read_drops(e->port);
	return over < 0 ? -1 : 0;
}
