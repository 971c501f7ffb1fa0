-- What filters of the list of runs ask about a run that has ended. Runs that ended before are summarised by a worker.
ALTER TABLE "Run" ADD COLUMN "bytes" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN "summarised" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "waitedMs" DOUBLE PRECISION,
ADD COLUMN "costUsd" DOUBLE PRECISION,
ADD COLUMN "tokens" DOUBLE PRECISION,
ADD COLUMN "agents" TEXT,
ADD COLUMN "tools" TEXT,
ADD COLUMN "hooks" TEXT,
ADD COLUMN "texts" TEXT;

-- Partial indexes, so that a run is added to them once, when it ends.
CREATE INDEX "Run_unsummarised_idx" ON "Run"("createdAt" DESC) WHERE NOT "summarised" AND "finishedAt" IS NOT NULL;
CREATE INDEX "Run_duration_idx" ON "Run"(("finishedAt" - "startedAt")) WHERE "finishedAt" IS NOT NULL;
CREATE INDEX "Run_waitedMs_idx" ON "Run"("waitedMs") WHERE "waitedMs" IS NOT NULL;
CREATE INDEX "Run_costUsd_idx" ON "Run"("costUsd") WHERE "costUsd" IS NOT NULL;
CREATE INDEX "Run_tokens_idx" ON "Run"("tokens") WHERE "tokens" IS NOT NULL;
CREATE INDEX "Run_imported_idx" ON "Run"("createdAt" DESC, "id" DESC) WHERE "source" <> 'callboard';

-- Replaces the index of migration run_search. Parts of texts are found by their trigrams, in any case. A server without the extension,
-- or an account that may not create it, goes without: such a search reads all runs then.
-- The engine that applies migrations ends a statement at every semicolon, so those of the block are written \x3b.
DROP INDEX IF EXISTS "Run_texts_idx";
DO E'
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm\x3b
  CREATE INDEX "Run_summary_idx" ON "Run"
    USING gin (agents gin_trgm_ops, tools gin_trgm_ops, hooks gin_trgm_ops, texts gin_trgm_ops)
    WITH (gin_pending_list_limit = 1024) WHERE summarised\x3b
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object THEN
  RAISE NOTICE ''Callboard goes without pg_trgm: %'', SQLERRM\x3b
END
';
