-- What agents, models and tools did in a run that has ended, as JSON: [[kind, name, bucket, calls, failed, tokens, costUsd], …]
-- (lib/trace/run-parts.ts). Runs of older versions are summarised anew by a worker.
ALTER TABLE "StoredRun" ADD COLUMN "parts" JSONB;
DROP INDEX "Run_unsummarised_idx";
CREATE INDEX "Run_unsummarised_idx" ON "StoredRun"("createdAt" DESC) WHERE "parts" IS NULL AND "finishedAt" IS NOT NULL;

CREATE OR REPLACE VIEW "Run" AS SELECT
  "id", "projectId", "treeHash", "correlationId", "source", "status", "agent", "entryAgent", "message", "model",
  "scripted", "createdAt", "startedAt", "finishedAt", "answer", "error", "usage", "failedServers", "lastSeq", "epoch",
  "worker", "attempts", "attemptSeq", "freezes", "cancelRequestedAt", "stint", "workflowId", "confirmedHash", "againOf",
  "again", "conversationId", "turn", "inLine", "attachments", "attachmentInfo", "bytes", "summarised", "waitedMs",
  "peopleMs", "costUsd", "tokens", "agents", "tools", "hooks", "texts", "startedBy", "revisionId", "label", "draft",
  "fixture", "fixtureMode", "told", "triggerId", "spentUsd", "spentTokens", "unpricedCalls", "leftOut", "models", "errors", "marks", "parts"
FROM "StoredRun" WHERE "deletionId" IS NULL;

-- Figures of runs for dashboards, by project, hour of the start (UTC), kind and name, and bucket of durations (lib/trace/time-buckets.ts).
-- Of kind "run" the name is the id of the revision. Rows are only added, so that runs that end at the same time do not wait for each
-- other: a worker folds rows of one key into one, and rows of old hours into days. The sum of all rows of a key is its figure.
CREATE TABLE "RunTally" (
    "id" BIGSERIAL NOT NULL,
    "projectId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "bucket" INTEGER NOT NULL,
    "calls" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "costUsd" DOUBLE PRECISION NOT NULL,
    "peopleMs" DOUBLE PRECISION NOT NULL,
    "folded" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "RunTally_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "RunTally_kind_at_idx" ON "RunTally"("kind", "at");
CREATE INDEX "RunTally_unfolded_idx" ON "RunTally"("id") WHERE NOT "folded";

-- Adds the figures of a run, or takes them off again (sign -1). Runs of tests and runs in the bin have none.
CREATE FUNCTION add_run_tallies(run "StoredRun", sign INTEGER) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF run.parts IS NULL OR run."deletionId" IS NOT NULL OR run.fixture IS NOT NULL OR run."finishedAt" IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO "RunTally" ("projectId", kind, name, at, bucket, calls, failed, tokens, "costUsd", "peopleMs")
  SELECT run."projectId", 'run', COALESCE(run."revisionId", ''), date_trunc('hour', run."createdAt", 'UTC'),
    COALESCE(floor(4 * log(2.0, GREATEST(1, EXTRACT(EPOCH FROM run."finishedAt" - run."startedAt") * 1000)))::int, -1),
    sign, sign * (run.status = 'failed')::int, sign * COALESCE(run.tokens, 0), sign * COALESCE(run."costUsd", 0), sign * COALESCE(run."peopleMs", 0)
  UNION ALL
  SELECT run."projectId", part ->> 0, part ->> 1, date_trunc('hour', run."createdAt", 'UTC'), (part ->> 2)::int,
    sign * (part ->> 3)::int, sign * (part ->> 4)::int, sign * (part ->> 5)::float8, sign * (part ->> 6)::float8, 0
  FROM jsonb_array_elements(run.parts) part;
END $$;

CREATE FUNCTION count_run() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_run_tallies(OLD, -1);
  IF TG_OP = 'UPDATE' THEN
    PERFORM add_run_tallies(NEW, 1);
  END IF;
  RETURN NULL;
END $$;

-- There is none for INSERT: no run begins with figures, and a restored backup has its tallies.
CREATE TRIGGER count_run_change AFTER UPDATE ON "StoredRun" FOR EACH ROW
WHEN ((OLD.parts IS NOT NULL OR NEW.parts IS NOT NULL) AND
  (OLD.parts, OLD."deletionId", OLD.status, OLD."createdAt", OLD."startedAt", OLD."finishedAt", OLD."revisionId", OLD.tokens, OLD."costUsd", OLD."peopleMs")
  IS DISTINCT FROM
  (NEW.parts, NEW."deletionId", NEW.status, NEW."createdAt", NEW."startedAt", NEW."finishedAt", NEW."revisionId", NEW.tokens, NEW."costUsd", NEW."peopleMs"))
EXECUTE FUNCTION count_run();
CREATE TRIGGER count_run_end AFTER DELETE ON "StoredRun" FOR EACH ROW
WHEN (OLD.parts IS NOT NULL) EXECUTE FUNCTION count_run();
