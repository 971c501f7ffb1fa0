-- AlterTable
ALTER TABLE "Blob" ADD COLUMN     "gitHash" TEXT;

-- CreateTable
CREATE TABLE "GitCommit" (
    "projectId" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "treeHash" TEXT NOT NULL,
    "revisionId" TEXT,

    CONSTRAINT "GitCommit_pkey" PRIMARY KEY ("projectId","hash")
);

-- CreateTable
CREATE TABLE "GitRelease" (
    "releaseId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "GitRelease_pkey" PRIMARY KEY ("releaseId")
);

-- CreateTable
CREATE TABLE "GitHead" (
    "projectId" TEXT NOT NULL,
    "draft" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "revisionId" TEXT NOT NULL,

    CONSTRAINT "GitHead_pkey" PRIMARY KEY ("projectId","draft")
);

-- CreateIndex
CREATE UNIQUE INDEX "GitCommit_revisionId_key" ON "GitCommit"("revisionId");

-- CreateIndex
CREATE INDEX "GitCommit_treeHash_idx" ON "GitCommit"("treeHash");

-- CreateIndex
CREATE UNIQUE INDEX "GitRelease_projectId_number_key" ON "GitRelease"("projectId", "number");

-- CreateIndex
CREATE INDEX "GitHead_revisionId_idx" ON "GitHead"("revisionId");

-- AddForeignKey
ALTER TABLE "GitCommit" ADD CONSTRAINT "GitCommit_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GitCommit" ADD CONSTRAINT "GitCommit_treeHash_fkey" FOREIGN KEY ("treeHash") REFERENCES "Tree"("hash") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GitCommit" ADD CONSTRAINT "GitCommit_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GitRelease" ADD CONSTRAINT "GitRelease_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GitHead" ADD CONSTRAINT "GitHead_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;
