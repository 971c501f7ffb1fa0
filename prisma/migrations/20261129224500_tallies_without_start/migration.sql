-- A run that never started has no duration: bucket -1. GREATEST leaves NULL out, so that such runs were counted as those of a millisecond.
SELECT add_run_tallies(run, -1) FROM "StoredRun" run WHERE run."startedAt" IS NULL AND run."parts" IS NOT NULL;

CREATE OR REPLACE FUNCTION add_run_tallies(run "StoredRun", sign INTEGER) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF run.parts IS NULL OR run."deletionId" IS NOT NULL OR run.fixture IS NOT NULL OR run."finishedAt" IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO "RunTally" ("projectId", kind, name, at, bucket, calls, failed, tokens, "costUsd", "peopleMs")
  SELECT run."projectId", 'run', COALESCE(run."revisionId", ''), date_trunc('hour', run."createdAt", 'UTC'),
    CASE WHEN run."startedAt" IS NULL THEN -1
      ELSE floor(4 * log(2.0, GREATEST(1, EXTRACT(EPOCH FROM run."finishedAt" - run."startedAt") * 1000)))::int END,
    sign, sign * (run.status = 'failed')::int, sign * COALESCE(run.tokens, 0), sign * COALESCE(run."costUsd", 0), sign * COALESCE(run."peopleMs", 0)
  UNION ALL
  SELECT run."projectId", part ->> 0, part ->> 1, date_trunc('hour', run."createdAt", 'UTC'), (part ->> 2)::int,
    sign * (part ->> 3)::int, sign * (part ->> 4)::int, sign * (part ->> 5)::float8, sign * (part ->> 6)::float8, 0
  FROM jsonb_array_elements(run.parts) part;
END $$;

SELECT add_run_tallies(run, 1) FROM "StoredRun" run WHERE run."startedAt" IS NULL AND run."parts" IS NOT NULL;
