-- CreateTable
CREATE TABLE "TreeSummary" (
    "treeHash" TEXT NOT NULL,
    "format" INTEGER NOT NULL,
    "agentCount" INTEGER NOT NULL,
    "errorCount" INTEGER NOT NULL,
    "sketch" JSONB NOT NULL,
    "issue" JSONB,
    "madeAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "TreeSummary_pkey" PRIMARY KEY ("treeHash")
);

-- AddForeignKey
ALTER TABLE "TreeSummary" ADD CONSTRAINT "TreeSummary_treeHash_fkey" FOREIGN KEY ("treeHash") REFERENCES "Tree"("hash") ON DELETE CASCADE ON UPDATE CASCADE;
