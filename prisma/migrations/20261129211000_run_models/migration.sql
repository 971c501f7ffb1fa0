-- The models that a run asked and the number of its errors, which filters ask. Runs that ended before are summarised anew by a worker.
ALTER TABLE "StoredRun" ADD COLUMN "models" TEXT, ADD COLUMN "errors" DOUBLE PRECISION;

DROP INDEX "Run_unsummarised_idx";
CREATE INDEX "Run_unsummarised_idx" ON "StoredRun"("createdAt" DESC) WHERE "errors" IS NULL AND "finishedAt" IS NOT NULL;
CREATE INDEX "Run_errors_idx" ON "StoredRun"("errors") WHERE "errors" IS NOT NULL;

-- As in migration run_summaries: a server without the extension reads all runs instead.
DO E'
BEGIN
  CREATE INDEX "Run_models_idx" ON "StoredRun"
    USING gin (models gin_trgm_ops) WITH (gin_pending_list_limit = 1024) WHERE summarised\x3b
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object THEN
  RAISE NOTICE ''Callboard goes without pg_trgm: %'', SQLERRM\x3b
END
';

CREATE OR REPLACE VIEW "Run" AS SELECT
  "id", "projectId", "treeHash", "correlationId", "source", "status", "agent", "entryAgent", "message", "model",
  "scripted", "createdAt", "startedAt", "finishedAt", "answer", "error", "usage", "failedServers", "lastSeq", "epoch",
  "worker", "attempts", "attemptSeq", "freezes", "cancelRequestedAt", "stint", "workflowId", "confirmedHash", "againOf",
  "again", "conversationId", "turn", "inLine", "attachments", "attachmentInfo", "bytes", "summarised", "waitedMs",
  "peopleMs", "costUsd", "tokens", "agents", "tools", "hooks", "texts", "startedBy", "revisionId", "label", "draft",
  "fixture", "fixtureMode", "told", "triggerId", "spentUsd", "spentTokens", "unpricedCalls", "leftOut", "models", "errors"
FROM "StoredRun" WHERE "deletionId" IS NULL;
