-- Notices of questions to people, for webhooks and mail. A notice is stored in the statement that stores the question, and a worker
-- sends it.
CREATE TABLE "NotifyTarget" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "source" TEXT NOT NULL DEFAULT 'settings',
    "projectId" TEXT,
    "address" TEXT NOT NULL,
    "secret" TEXT,
    "mayAnswer" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "NotifyTarget_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Outbox" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "nextAt" TIMESTAMPTZ(3),
    "sentAt" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "Outbox_pkey" PRIMARY KEY ("id")
);

-- Workers look for what is due every second.
CREATE INDEX "Outbox_due_idx" ON "Outbox"("nextAt") WHERE "nextAt" IS NOT NULL;
CREATE INDEX "Outbox_target_createdAt_idx" ON "Outbox"("target", "createdAt" DESC);
CREATE INDEX "NotifyTarget_projectId_idx" ON "NotifyTarget"("projectId");

ALTER TABLE "NotifyTarget" ADD CONSTRAINT "NotifyTarget_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
