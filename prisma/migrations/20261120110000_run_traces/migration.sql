-- CreateTable
CREATE TABLE "RunTrace" (
    "runId" TEXT NOT NULL,
    "format" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,
    "modelUsage" JSONB NOT NULL,

    CONSTRAINT "RunTrace_pkey" PRIMARY KEY ("runId")
);

-- AddForeignKey
ALTER TABLE "RunTrace" ADD CONSTRAINT "RunTrace_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
