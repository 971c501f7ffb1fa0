-- What a run does without although its files have it. Null for runs that have everything.
ALTER TABLE "StoredRun" ADD COLUMN "leftOut" TEXT;

CREATE OR REPLACE VIEW "Run" AS SELECT
  "id", "projectId", "treeHash", "correlationId", "source", "status", "agent", "entryAgent", "message", "model",
  "scripted", "createdAt", "startedAt", "finishedAt", "answer", "error", "usage", "failedServers", "lastSeq", "epoch",
  "worker", "attempts", "attemptSeq", "freezes", "cancelRequestedAt", "stint", "workflowId", "confirmedHash", "againOf",
  "again", "conversationId", "turn", "inLine", "attachments", "attachmentInfo", "bytes", "summarised", "waitedMs",
  "peopleMs", "costUsd", "tokens", "agents", "tools", "hooks", "texts", "startedBy", "revisionId", "label", "draft",
  "fixture", "fixtureMode", "told", "triggerId", "spentUsd", "spentTokens", "unpricedCalls", "leftOut"
FROM "StoredRun" WHERE "deletionId" IS NULL;
