-- Who started a run, and what it has spent so far. What it took from the record of another run is not spent again.
ALTER TABLE "Run" ADD COLUMN "startedBy" TEXT,
  ADD COLUMN "spentUsd" DOUBLE PRECISION NOT NULL DEFAULT 0,
  ADD COLUMN "spentTokens" DOUBLE PRECISION NOT NULL DEFAULT 0,
  ADD COLUMN "unpricedCalls" INTEGER NOT NULL DEFAULT 0;

CREATE INDEX "Run_startedBy_createdAt_id_idx" ON "Run"("startedBy", "createdAt" DESC, "id" DESC);
-- The few runs that limits on active runs count.
CREATE INDEX "Run_active_idx" ON "Run"("projectId", "startedBy") WHERE status IN ('queued', 'running');

-- What the runs of a project spent in a calendar month (UTC), in several parts, so that runs at the same time do not wait for one row.
-- It stays when runs are deleted.
CREATE TABLE "MonthSpending" (
    "projectId" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "part" SMALLINT NOT NULL,
    "runs" INTEGER NOT NULL DEFAULT 0,
    "costUsd" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "tokens" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "unpricedCalls" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "MonthSpending_pkey" PRIMARY KEY ("projectId", "month", "part")
);

INSERT INTO "MonthSpending" ("projectId", month, part, runs, "costUsd", tokens)
SELECT "projectId", to_char("createdAt" AT TIME ZONE 'UTC', 'YYYY-MM'), 0, count(*), COALESCE(sum("costUsd"), 0), COALESCE(sum(tokens), 0)
FROM "Run" WHERE source = 'callboard' AND "startedAt" IS NOT NULL AND NOT scripted GROUP BY 1, 2;

-- A run counts in the month in which it begins, and what it spends in the month in which it is spent.
CREATE FUNCTION count_spending() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "MonthSpending" AS sum ("projectId", month, part, runs, "costUsd", tokens, "unpricedCalls")
  VALUES (
    NEW."projectId", to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), abs(hashtext(NEW.id) % 16),
    (OLD."startedAt" IS NULL AND NEW."startedAt" IS NOT NULL)::int,
    NEW."spentUsd" - OLD."spentUsd", NEW."spentTokens" - OLD."spentTokens", NEW."unpricedCalls" - OLD."unpricedCalls"
  )
  ON CONFLICT ("projectId", month, part) DO UPDATE SET
    runs = sum.runs + EXCLUDED.runs, "costUsd" = sum."costUsd" + EXCLUDED."costUsd", tokens = sum.tokens + EXCLUDED.tokens,
    "unpricedCalls" = sum."unpricedCalls" + EXCLUDED."unpricedCalls";
  RETURN NULL;
END $$;

CREATE TRIGGER count_spending AFTER UPDATE ON "Run" FOR EACH ROW
WHEN (NEW.source = 'callboard' AND (
  NEW."spentTokens" <> OLD."spentTokens" OR NEW."spentUsd" <> OLD."spentUsd" OR (OLD."startedAt" IS NULL AND NEW."startedAt" IS NOT NULL)
))
EXECUTE FUNCTION count_spending();
