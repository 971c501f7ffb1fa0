-- What a caller says of a run: {"user", "tags", "metadata"} (lib/base/run-marks.ts). Null for most runs.
ALTER TABLE "StoredRun" ADD COLUMN "marks" JSONB;
CREATE INDEX "Run_marks_idx" ON "StoredRun" USING gin ("marks" jsonb_path_ops) WHERE "marks" IS NOT NULL;

CREATE OR REPLACE VIEW "Run" AS SELECT
  "id", "projectId", "treeHash", "correlationId", "source", "status", "agent", "entryAgent", "message", "model",
  "scripted", "createdAt", "startedAt", "finishedAt", "answer", "error", "usage", "failedServers", "lastSeq", "epoch",
  "worker", "attempts", "attemptSeq", "freezes", "cancelRequestedAt", "stint", "workflowId", "confirmedHash", "againOf",
  "again", "conversationId", "turn", "inLine", "attachments", "attachmentInfo", "bytes", "summarised", "waitedMs",
  "peopleMs", "costUsd", "tokens", "agents", "tools", "hooks", "texts", "startedBy", "revisionId", "label", "draft",
  "fixture", "fixtureMode", "told", "triggerId", "spentUsd", "spentTokens", "unpricedCalls", "leftOut", "models", "errors", "marks"
FROM "StoredRun" WHERE "deletionId" IS NULL;
