-- Runs that people deleted wait in a bin for a day. The table of runs is "StoredRun". Everything else reads and writes the view "Run", which
-- has only the runs that are not in the bin, so that no query can show one that is (docs/decisions/0088-deleted-runs-wait-in-a-bin.md).
-- A later migration that adds a column to "StoredRun" makes the view anew with CREATE OR REPLACE VIEW.
CREATE TABLE "RunDeletion" (
    "id" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "RunDeletion_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "RunDeletion_at_id_idx" ON "RunDeletion"("at" DESC, "id" DESC);

ALTER TABLE "Run" RENAME TO "StoredRun";
ALTER TABLE "StoredRun" ADD COLUMN "deletionId" TEXT;
ALTER TABLE "StoredRun" ADD CONSTRAINT "StoredRun_deletionId_fkey" FOREIGN KEY ("deletionId") REFERENCES "RunDeletion"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "StoredRun_deletionId_id_idx" ON "StoredRun"("deletionId", "id") WHERE "deletionId" IS NOT NULL;

CREATE VIEW "Run" AS SELECT
  "id", "projectId", "treeHash", "correlationId", "source", "status", "agent", "entryAgent", "message", "model",
  "scripted", "createdAt", "startedAt", "finishedAt", "answer", "error", "usage", "failedServers", "lastSeq", "epoch",
  "worker", "attempts", "attemptSeq", "freezes", "cancelRequestedAt", "stint", "workflowId", "confirmedHash", "againOf",
  "again", "conversationId", "turn", "inLine", "attachments", "attachmentInfo", "bytes", "summarised", "waitedMs",
  "peopleMs", "costUsd", "tokens", "agents", "tools", "hooks", "texts", "startedBy", "revisionId", "label", "draft",
  "fixture", "fixtureMode", "told", "triggerId", "spentUsd", "spentTokens", "unpricedCalls"
FROM "StoredRun" WHERE "deletionId" IS NULL;
