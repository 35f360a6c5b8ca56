/* SPDX-License-Identifier: BSD-3-Clause */
/* The report, see report.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "report.h"

static json_t *integer(uint64_t v)
{
	return json_integer((json_int_t)v);
}

static json_t *operation(const struct op_count *c)
{
	json_t *o = json_object(), *by = json_object();
	int err;

	json_object_set_new(o, "done", integer(c->done));
	json_object_set_new(o, "refused", integer(c->refused));
	json_object_set_new(o, "failed", integer(c->failed));
	for (err = 1; err < ACT_ERRNO_MAX; err++)
		if (c->by_errno[err])
			json_object_set_new(by, strerrorname_np(err), integer(c->by_errno[err]));
	json_object_set_new(o, "by_errno", by);
	return o;
}

static json_t *actor(const struct act *a)
{
	json_t *o = json_object(), *operations = json_object();
	uint64_t done = 0, refused = 0, failed = a->broken;
	unsigned int i;

	for (i = 0; i < a->counts; i++) {
		done += a->count[i].done;
		refused += a->count[i].refused;
		failed += a->count[i].failed;
		json_object_set_new(operations, a->count[i].op->name, operation(&a->count[i]));
	}
	json_object_set_new(o, "done", integer(done));
	json_object_set_new(o, "refused", integer(refused));
	json_object_set_new(o, "failed", integer(failed));
	if (*a->inapplicable)
		json_object_set_new(o, "inapplicable", json_string(a->inapplicable));
	json_object_set_new(o, "operations", operations);
	return o;
}

int report_write(const struct options *o, const struct act *act, unsigned int n, double seconds, bool ok)
{
	json_t *report = json_object(), *all = json_object();
	FILE *f = strcmp(o->json, "-") ? fopen(o->json, "we") : stdout;
	unsigned int i;
	int rc = -1;

	json_object_set_new(report, "ok", json_boolean(ok));
	json_object_set_new(report, "iface", json_string(o->iface));
	json_object_set_new(report, "seed", integer(o->seed));
	json_object_set_new(report, "seconds", json_real(seconds));
	for (i = 0; i < n; i++)
		json_object_set_new(all, act[i].actor->name, actor(&act[i]));
	json_object_set_new(report, "actors", all);

	if (!f)
		fprintf(stderr, "storm: cannot write %s: %s\n", o->json, strerror(errno));
	else if (json_dumpf(report, f, JSON_COMPACT | JSON_REAL_PRECISION(6)) || fputc('\n', f) == EOF || fflush(f))
		fprintf(stderr, "storm: cannot write the report to %s: %s\n", o->json, strerror(errno));
	else
		rc = 0;
	if (f && f != stdout)
		fclose(f);
	json_decref(report);
	return rc;
}
