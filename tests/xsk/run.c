/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps that works are put together from, see run.h. */
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "run.h"

#define NS_PER_MS	1000000ULL
#define COMPLAINTS_MAX	20

uint64_t run_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ULL + (uint64_t)ts.tv_nsec;
}

void run_fail(struct run *r, const char *fmt, ...)
{
	va_list ap;

	r->failed = true;
	fprintf(stderr, "xsk-test: %s: ", r->o->work->name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void run_ready(void)
{
	puts("ready");
	fflush(stdout);
}

/* --- received frames ------------------------------------------------------ */

static void account_bad(struct run *r, const struct dev_frame *f, const struct frame_info *info)
{
	r->corrupt++;
	r->corrupt_bad |= info->bad;
	if (r->corrupt <= COMPLAINTS_MAX)
		fprintf(stderr, "xsk-test: corrupt frame: %u bytes, stream %u, number %llu, wrong 0x%x\n",
			f->len, info->stream, (unsigned long long)info->seq, info->bad);
}

void run_account(struct run *r, const struct dev_frame *f)
{
	struct frame_info info;

	r->received++;
	r->received_bytes += f->len;
	if (!r->o->verify)
		return;
	switch (frame_verify(f->data, f->len, &info)) {
	case FRAME_GOOD:
		if (info.stream != r->o->stream) {
			r->foreign++;
			return;
		}
		r->good++;
		switch (track_add(&r->track, info.seq, TRACK_MAX_SEQ)) {
		case TRACK_RANGE:
			run_fail(r, "frame number %llu is beyond all", (unsigned long long)info.seq);
			break;
		case TRACK_NOMEM:
			run_fail(r, "no memory to account for frame %llu", (unsigned long long)info.seq);
			break;
		default:
			break;
		}
		return;
	case FRAME_CORRUPT:
		account_bad(r, f, &info);
		return;
	default:
		r->foreign++;
	}
}

static void stamp(struct run *r)
{
	r->last_ns = run_now();
	if (!r->first_ns)
		r->first_ns = r->last_ns;
}

uint32_t run_receive(struct run *r, uint32_t max)
{
	struct dev_frame f[RUN_BATCH_MAX];
	uint32_t i, n = dev_rx_take(&r->dev, f, max < r->o->batch ? max : r->o->batch);

	for (i = 0; i < n; i++) {
		run_account(r, &f[i]);
		dev_free(&r->dev, f[i].addr);
	}
	if (n)
		stamp(r);
	return n;
}

/* The frame to send in answer to @f: itself, or a copy. */
static void answer(struct run *r, struct dev_frame *f)
{
	struct dev_frame copy;

	if (!r->o->rewrite || !dev_alloc(&r->dev, &copy))
		return;
	memcpy(copy.data, f->data, f->len);
	copy.len = f->len;
	dev_free(&r->dev, f->addr);
	*f = copy;
}

uint32_t run_forward(struct run *r, uint32_t max)
{
	struct dev_frame f[RUN_BATCH_MAX];
	uint32_t i, n = dev_tx_room(&r->dev);

	/* A frame for which there is no room stays in the receive ring. */
	n = n < max ? n : max;
	n = n < r->o->batch ? n : r->o->batch;
	n = dev_rx_take(&r->dev, f, n);
	for (i = 0; i < n; i++) {
		run_account(r, &f[i]);
		answer(r, &f[i]);
		if (f[i].len >= 12)
			frame_macswap(f[i].data);
		dev_tx_put(&r->dev, f[i].addr, f[i].len);
	}
	dev_tx_submit(&r->dev, n);
	if (n)
		stamp(r);
	return n;
}

uint32_t run_transmit(struct run *r, uint32_t max)
{
	struct dev_frame f;
	uint32_t i, n = dev_tx_room(&r->dev);

	n = n < max ? n : max;
	n = n < r->o->batch ? n : r->o->batch;
	for (i = 0; i < n && dev_alloc(&r->dev, &f); i++) {
		f.len = frame_fill(f.data, &r->tmpl, r->next_seq++);
		dev_tx_put(&r->dev, f.addr, f.len);
	}
	dev_tx_submit(&r->dev, i);
	if (i)
		stamp(r);
	return i;
}

/* --- service and waiting --------------------------------------------------- */

uint32_t run_service(struct run *r)
{
	uint32_t n = dev_reap(&r->dev);

	dev_refill(&r->dev);
	dev_kick_tx(&r->dev);
	dev_kick_rx(&r->dev);
	return n;
}

void run_wait(struct run *r, unsigned int us)
{
	struct timespec ts = { .tv_sec = us / 1000000, .tv_nsec = (long)(us % 1000000) * 1000 };
	struct pollfd p[2] = {
		{ .fd = r->dev.fd, .events = POLLIN },
		{ .fd = r->dev.tx_fd, .events = POLLOUT },
	};

	if (r->o->busy_poll)
		return;
	/* poll() itself wakes the driver, so where that is what is tested, it is not called. */
	if (r->o->strict)
		nanosleep(&ts, NULL);
	else
		ppoll(p, dev_tx_queued(&r->dev) && r->o->split ? 2 : 1, &ts, NULL);
}

bool run_complete(struct run *r)
{
	uint64_t begin = run_now(), deadline = begin + r->o->timeout_ms * NS_PER_MS, now;

	while (r->dev.completed < r->dev.sent) {
		if (!run_service(r))
			run_wait(r, 200);
		now = run_now();
		if (now > deadline) {
			run_fail(r, "%llu of %llu frames sent were not completed in %u ms (%u still in the ring)",
				 (unsigned long long)(r->dev.sent - r->dev.completed),
				 (unsigned long long)r->dev.sent, r->o->timeout_ms, dev_tx_queued(&r->dev));
			return false;
		}
	}
	now = run_now();
	if (now - begin > r->complete_ns)
		r->complete_ns = now - begin;
	return true;
}

/* --- the end ----------------------------------------------------------------- */

void run_check(struct run *r)
{
	struct dev *d = &r->dev;

	if (r->corrupt)
		run_fail(r, "%llu corrupt frames", (unsigned long long)r->corrupt);
	if (r->track.duplicate)
		run_fail(r, "%llu duplicate frames", (unsigned long long)r->track.duplicate);
	if (d->strays)
		run_fail(r, "%llu frames came back that the kernel did not have", (unsigned long long)d->strays);
	if (d->kick_errors)
		run_fail(r, "%llu wakeups failed, the last with: %s", (unsigned long long)d->kick_errors,
			 strerror(d->kick_errno));
	if (d->o && d->nfree + d->in_kernel + (d->sent - d->completed) != d->o->frames)
		run_fail(r, "%u frames free, %u with the kernel, %llu under way: not %u",
			 d->nfree, d->in_kernel, (unsigned long long)(d->sent - d->completed), d->o->frames);
}

int run_report(struct run *r, const char *path)
{
	const struct options *o = r->o;
	double s = (double)(r->last_ns - r->first_ns) / 1e9;
	FILE *f = !path || !strcmp(path, "-") ? stdout : fopen(path, "we");
	struct xdp_statistics st = { 0 };
	int rc;

	if (!f) {
		perror(path);
		return -1;
	}
	if (r->dev.o)
		dev_statistics(&r->dev, &st);
	fprintf(f, "{\"ok\": %s, \"work\": \"%s\", \"mode\": \"%s\", \"zerocopy\": %s, ",
		r->failed ? "false" : "true", o->work->name, mode_name(o->mode),
		r->dev.zerocopy ? "true" : "false");
#define PUT(name, value) fprintf(f, "\"%s\": %llu, ", name, (unsigned long long)(value))
	PUT("received", r->received);
	PUT("received_bytes", r->received_bytes);
	PUT("good", r->good);
	PUT("unique", r->track.unique);
	PUT("lost", track_lost(&r->track, r->track.end));
	PUT("duplicate", r->track.duplicate);
	PUT("reordered", r->track.reordered);
	PUT("corrupt", r->corrupt);
	PUT("corrupt_by", r->corrupt_bad);
	PUT("foreign", r->foreign);
	PUT("shortest", r->shortest);
	PUT("longest", r->longest);
	PUT("sent", r->dev.sent);
	PUT("completed", r->dev.completed);
	PUT("bad_descs", r->dev.bad_descs);
	PUT("returned_bad", r->dev.returned_bad);
	PUT("strays", r->dev.strays);
	PUT("kicks_rx", r->dev.kicks_rx);
	PUT("kicks_tx", r->dev.kicks_tx);
	PUT("rounds", r->rounds_done);
	PUT("pages_out", r->pages_out);
	PUT("resume_ns", r->resume_ns);
	PUT("complete_ns", r->complete_ns);
	PUT("rx_dropped", st.rx_dropped);
	PUT("rx_ring_full", st.rx_ring_full);
	PUT("rx_invalid_descs", st.rx_invalid_descs);
	PUT("tx_invalid_descs", st.tx_invalid_descs);
	PUT("rx_fill_ring_empty_descs", st.rx_fill_ring_empty_descs);
	PUT("tx_ring_empty_descs", st.tx_ring_empty_descs);
#undef PUT
	fprintf(f, "\"seconds\": %.6f, \"pps_received\": %.0f, \"pps_completed\": %.0f}\n", s,
		s > 0 ? (double)r->received / s : 0, s > 0 ? (double)r->dev.completed / s : 0);
	rc = fflush(f) || ferror(f);
	if (f != stdout)
		rc |= fclose(f);
	if (rc)
		fprintf(stderr, "xsk-test: cannot write the report\n");
	return rc ? -1 : 0;
}
