-- AlterTable
ALTER TABLE "Run" ADD COLUMN     "fixture" TEXT,
ADD COLUMN     "fixtureMode" TEXT;

-- CreateTable
CREATE TABLE "FixtureResult" (
    "runId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "treeHash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "findings" TEXT NOT NULL,
    "problem" TEXT,
    "tookMs" DOUBLE PRECISION NOT NULL,
    "costUsd" DOUBLE PRECISION,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "FixtureResult_pkey" PRIMARY KEY ("runId")
);

-- CreateIndex
CREATE INDEX "FixtureResult_projectId_treeHash_name_at_idx" ON "FixtureResult"("projectId", "treeHash", "name", "at" DESC);

-- CreateIndex
CREATE INDEX "Run_projectId_fixture_createdAt_idx" ON "Run"("projectId", "fixture", "createdAt" DESC);

-- AddForeignKey
ALTER TABLE "FixtureResult" ADD CONSTRAINT "FixtureResult_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
