-- AlterTable
ALTER TABLE "Run" ADD COLUMN     "source" TEXT NOT NULL DEFAULT 'callboard';

-- CreateTable
CREATE TABLE "ImportedTrace" (
    "runId" TEXT NOT NULL,
    "unsettled" BOOLEAN NOT NULL DEFAULT true,
    "spanCount" INTEGER NOT NULL DEFAULT 0,
    "receivedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ImportedTrace_pkey" PRIMARY KEY ("runId")
);

-- CreateTable
CREATE TABLE "ImportedSpan" (
    "runId" TEXT NOT NULL,
    "spanId" TEXT NOT NULL,
    "body" TEXT NOT NULL,

    CONSTRAINT "ImportedSpan_pkey" PRIMARY KEY ("runId","spanId")
);

-- AddForeignKey
ALTER TABLE "ImportedTrace" ADD CONSTRAINT "ImportedTrace_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ImportedSpan" ADD CONSTRAINT "ImportedSpan_runId_fkey" FOREIGN KEY ("runId") REFERENCES "ImportedTrace"("runId") ON DELETE CASCADE ON UPDATE CASCADE;
