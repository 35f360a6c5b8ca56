/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run comes to, see report.h. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "report.h"

#define GAPS_MAX	16	/* runs of lost numbers that are listed */

void report_stream_totals(const struct engine *e, const struct stream *s, struct totals *t)
{
	t->expected = s->sent;
	if (e->o->receive_only)
		t->expected = e->o->count ? e->o->count : s->track.end;
	t->lost = track_lost(&s->track, t->expected);
	t->received = s->track.unique;
	t->duplicate = s->track.duplicate;
	t->reordered = s->track.reordered;
}

void report_totals(const struct engine *e, struct totals *t)
{
	struct totals one;
	unsigned int i;

	memset(t, 0, sizeof(*t));
	if (e->o->replay) {
		t->expected = e->replay.sent;
		t->received = e->replay.received;
		t->lost = t->expected - t->received;
		t->duplicate = e->replay.duplicate;
		return;
	}
	for (i = 0; i < engine_streams(e); i++) {
		report_stream_totals(e, &e->stream[i], &one);
		t->expected += one.expected;
		t->received += one.received;
		t->lost += one.lost;
		t->duplicate += one.duplicate;
		t->reordered += one.reordered;
	}
}

/* --- verdict -------------------------------------------------------------- */

static bool complain(bool wrong, const char *what, uint64_t n, const char *who)
{
	if (wrong)
		fprintf(stderr, "wire: %s%llu %s\n", who, (unsigned long long)n, what);
	return !wrong;
}

static bool verdict_of(const struct totals *t, enum expect expect, const char *who)
{
	bool ok = true;

	if (expect == EXPECT_NONE)
		return true;
	ok &= complain(!t->expected, "frames sent or expected", 0, who);
	ok &= complain(t->lost, "lost", t->lost, who);
	ok &= complain(t->duplicate, "duplicate", t->duplicate, who);
	if (expect == EXPECT_ALL)
		ok &= complain(t->reordered, "reordered", t->reordered, who);
	return ok;
}

bool report_verdict(const struct engine *e)
{
	enum expect most = EXPECT_NONE;
	struct totals t;
	unsigned int i;
	bool ok = true;
	char who[32];

	if (e->o->replay) {
		report_totals(e, &t);
		most = e->o->stream[0].expect;
		ok = verdict_of(&t, most, "");
	}
	for (i = 0; i < engine_streams(e); i++) {
		const struct stream *s = &e->stream[i];

		report_stream_totals(e, s, &t);
		snprintf(who, sizeof(who), "stream %u: ", s->id);
		ok &= verdict_of(&t, s->opt->expect, who);
		if (s->opt->expect > most)
			most = s->opt->expect;
	}
	if (most != EXPECT_NONE)
		ok &= complain(e->corrupt, "corrupt", e->corrupt, "");
	if (most == EXPECT_ALL)
		ok &= complain(e->foreign, "foreign", e->foreign, "");
	return ok;
}

/* --- JSON ------------------------------------------------------------------ */

static void put(json_t *o, const char *key, uint64_t v)
{
	json_object_set_new(o, key, json_integer((json_int_t)v));
}

static double seconds(uint64_t from, uint64_t to)
{
	return to > from ? (double)(to - from) / 1e9 : 0;
}

static void put_rate(json_t *o, const char *key_s, const char *key_pps, uint64_t n, uint64_t from,
		     uint64_t to)
{
	double s = seconds(from, to);

	json_object_set_new(o, key_s, json_real(s));
	json_object_set_new(o, key_pps, json_real(s > 0 ? (double)n / s : 0));
}

static json_t *latency_json(const struct hist *h)
{
	json_t *o;

	if (!h->count)
		return json_null();
	o = json_object();
	put(o, "count", h->count);
	put(o, "min", h->min);
	json_object_set_new(o, "mean", json_real((double)h->sum / (double)h->count));
	put(o, "p50", hist_quantile(h, 50));
	put(o, "p99", hist_quantile(h, 99));
	put(o, "max", h->max);
	return o;
}

static json_t *stream_json(const struct engine *e, const struct stream *s)
{
	struct track_gap gap[GAPS_MAX];
	json_t *o = json_object(), *gaps = json_array();
	struct totals t;
	size_t i, n;

	report_stream_totals(e, s, &t);
	put(o, "stream", s->id);
	json_object_set_new(o, "kind", json_string(s->opt->proto == FRAME_PROTO_ICMP ? "ping" : "udp"));
	put(o, "sent", s->sent);
	put(o, "received", t.received);
	put(o, "lost", t.lost);
	put(o, "duplicate", t.duplicate);
	put(o, "reordered", t.reordered);
	put_rate(o, "receive_seconds", "pps_received", t.received, s->first_rx, s->last_rx);
	json_object_set_new(o, "latency_ns", latency_json(&s->latency));
	n = track_gaps(&s->track, t.expected, gap, GAPS_MAX);
	for (i = 0; i < n; i++)
		json_array_append_new(gaps, json_pack("[I,I]", (json_int_t)gap[i].first,
						      (json_int_t)gap[i].count));
	json_object_set_new(o, "lost_first", gaps);
	return o;
}

static json_t *bad_json(const struct bad_counts *b)
{
	json_t *o = json_object();

	put(o, "length", b->length);
	put(o, "type", b->type);
	put(o, "ip_checksum", b->ip_sum);
	put(o, "l4_checksum", b->l4_sum);
	put(o, "header", b->header);
	put(o, "pattern", b->pattern);
	put(o, "mac", b->mac);
	put(o, "never_sent", b->range);
	return o;
}

static json_t *watched_json(const struct track *t)
{
	json_t *o = json_object();

	put(o, "received", t->unique);
	put(o, "lost", track_lost(t, t->end));
	put(o, "duplicate", t->duplicate);
	put(o, "reordered", t->reordered);
	return o;
}

static json_t *report_json(const struct engine *e, bool ok)
{
	json_t *o = json_object(), *streams = json_array();
	struct totals t;
	unsigned int i;

	report_totals(e, &t);
	json_object_set_new(o, "ok", json_boolean(ok));
	put(o, "sent", e->sent);
	put(o, "received", t.received);
	put(o, "lost", t.lost);
	put(o, "duplicate", t.duplicate);
	put(o, "reordered", t.reordered);
	put(o, "corrupt", e->corrupt);
	put(o, "foreign", e->foreign);
	put_rate(o, "send_seconds", "pps_sent", e->sent, e->first_tx, e->last_tx);
	put_rate(o, "receive_seconds", "pps_received", t.received, e->first_rx, e->last_own_rx);
	put(o, "bytes_sent", e->sent_bytes);
	put(o, "frames_in", e->frames_in);
	put(o, "bytes_in", e->bytes_in);
	put(o, "foreign_bytes", e->foreign_bytes);
	put(o, "foreign_multicast", e->foreign_multicast);
	put_rate(o, "foreign_seconds", "pps_foreign", e->foreign, e->first_foreign, e->last_foreign);
	put(o, "other_stream", e->other_stream);
	if (e->o->watching)
		json_object_set_new(o, "watched", watched_json(&e->watched));
	json_object_set_new(o, "corrupt_by", bad_json(&e->bad));
	put(o, "echoed", e->echoed);
	put(o, "answered", e->answered);
	put(o, "answers_dropped", e->answers_dropped);
	put(o, "timeouts", e->timeouts);
	put(o, "backpressure", e->port->backpressure);
	put(o, "socket_drops", e->port->drops);
	json_object_set_new(o, "interrupted", json_boolean(e->interrupted));
	for (i = 0; i < engine_streams(e); i++)
		json_array_append_new(streams, stream_json(e, &e->stream[i]));
	json_object_set_new(o, "streams", streams);
	return o;
}

int report_write(const struct engine *e, const char *path, bool ok)
{
	json_t *o = report_json(e, ok);
	FILE *f = strcmp(path, "-") ? fopen(path, "we") : stdout;
	int rc = -1;

	if (!o)
		fprintf(stderr, "wire: no memory for the report\n");
	else if (!f)
		fprintf(stderr, "wire: cannot write %s: %s\n", path, strerror(errno));
	else if (json_dumpf(o, f, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) || fputc('\n', f) == EOF ||
		 fflush(f))
		fprintf(stderr, "wire: cannot write the report to %s: %s\n", path, strerror(errno));
	else
		rc = 0;
	if (f && f != stdout && fclose(f) && !rc) {
		fprintf(stderr, "wire: cannot write %s: %s\n", path, strerror(errno));
		rc = -1;
	}
	json_decref(o);
	return rc;
}

void report_summary(const struct engine *e)
{
	struct totals t;

	report_totals(e, &t);
	fprintf(stderr,
		"wire: sent %llu, received %llu, lost %llu, duplicate %llu, reordered %llu, corrupt %llu, "
		"foreign %llu\n", (unsigned long long)e->sent, (unsigned long long)t.received,
		(unsigned long long)t.lost, (unsigned long long)t.duplicate,
		(unsigned long long)t.reordered, (unsigned long long)e->corrupt,
		(unsigned long long)e->foreign);
}
