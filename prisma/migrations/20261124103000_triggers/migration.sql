-- AlterTable
ALTER TABLE "Run" ADD COLUMN "triggerId" TEXT;

-- CreateTable
CREATE TABLE "Trigger" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "label" TEXT,
    "revision" INTEGER,
    "message" TEXT NOT NULL,
    "cron" TEXT,
    "zone" TEXT,
    "nextAt" TIMESTAMPTZ(3),
    "secret" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "stoppedBecause" TEXT,
    "stopAfter" INTEGER NOT NULL DEFAULT 5,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "by" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Trigger_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TriggerFiring" (
    "triggerId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "runId" TEXT,
    "code" TEXT,
    "error" TEXT,
    "missed" INTEGER NOT NULL DEFAULT 0,
    "counted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "TriggerFiring_pkey" PRIMARY KEY ("triggerId","key")
);

-- CreateIndex
CREATE INDEX "Trigger_nextAt_idx" ON "Trigger"("nextAt");

-- CreateIndex
CREATE UNIQUE INDEX "Trigger_projectId_name_key" ON "Trigger"("projectId", "name");

-- CreateIndex
CREATE INDEX "TriggerFiring_triggerId_at_idx" ON "TriggerFiring"("triggerId", "at" DESC);

-- AddForeignKey
ALTER TABLE "Trigger" ADD CONSTRAINT "Trigger_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TriggerFiring" ADD CONSTRAINT "TriggerFiring_triggerId_fkey" FOREIGN KEY ("triggerId") REFERENCES "Trigger"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Indexes of what is looked for again and again.
CREATE INDEX "TriggerFiring_uncounted_idx" ON "TriggerFiring"("runId") WHERE NOT "counted";
CREATE INDEX "Run_triggerId_idx" ON "Run"("triggerId", "createdAt" DESC, "id" DESC) WHERE "triggerId" IS NOT NULL;
