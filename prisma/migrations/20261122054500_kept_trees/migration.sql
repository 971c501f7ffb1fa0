-- CreateTable
CREATE TABLE "KeptTree" (
    "projectId" TEXT NOT NULL,
    "treeHash" TEXT NOT NULL,
    "keptUntil" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "KeptTree_pkey" PRIMARY KEY ("projectId","treeHash")
);

-- CreateIndex
CREATE INDEX "KeptTree_treeHash_idx" ON "KeptTree"("treeHash");

-- AddForeignKey
ALTER TABLE "KeptTree" ADD CONSTRAINT "KeptTree_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "KeptTree" ADD CONSTRAINT "KeptTree_treeHash_fkey" FOREIGN KEY ("treeHash") REFERENCES "Tree"("hash") ON DELETE RESTRICT ON UPDATE CASCADE;
