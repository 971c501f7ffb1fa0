-- Questions of runs to people, and approvals that are remembered. A run that waits for people only is suspended, and each answer that
-- puts it back into the queue begins a stint with a workflow of its own.
ALTER TABLE "Run" ADD COLUMN "stint" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "workflowId" TEXT;

CREATE TABLE "PendingItem" (
    "id" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "stint" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "step" TEXT NOT NULL,
    "tool" TEXT,
    "sentence" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "question" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "limitAt" TIMESTAMPTZ(3),
    "outcomeAtLimit" TEXT,
    "answer" TEXT,
    "answeredBy" TEXT,
    "via" TEXT,
    "answeredAt" TIMESTAMPTZ(3),
    "recorded" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "PendingItem_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Grant" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "correlationId" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "serverName" TEXT,
    "agent" TEXT,
    "schemaHash" TEXT NOT NULL,
    "cardHash" TEXT,
    "argumentsHash" TEXT,
    "patterns" TEXT,
    "by" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3),

    CONSTRAINT "Grant_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "PendingItem_status_createdAt_id_idx" ON "PendingItem"("status", "createdAt", "id");
CREATE INDEX "PendingItem_projectId_status_createdAt_id_idx" ON "PendingItem"("projectId", "status", "createdAt", "id");
CREATE INDEX "PendingItem_runId_createdAt_id_idx" ON "PendingItem"("runId", "createdAt", "id");
-- Items whose limit may be over, and items that have ended without their run knowing. Both are few, and workers look every second.
CREATE INDEX "PendingItem_limits_idx" ON "PendingItem"("limitAt") WHERE status = 'open' AND "limitAt" IS NOT NULL;
CREATE INDEX "PendingItem_unrecorded_idx" ON "PendingItem"("runId") WHERE status <> 'open' AND NOT recorded;

CREATE INDEX "Grant_projectId_at_id_idx" ON "Grant"("projectId", "at" DESC, "id" DESC);

ALTER TABLE "PendingItem" ADD CONSTRAINT "PendingItem_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Grant" ADD CONSTRAINT "Grant_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
