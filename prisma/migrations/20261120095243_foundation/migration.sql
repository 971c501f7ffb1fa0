-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "Project" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Project_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Blob" (
    "hash" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "Blob_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "Tree" (
    "hash" TEXT NOT NULL,
    "entries" JSONB NOT NULL,

    CONSTRAINT "Tree_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "Draft" (
    "projectId" TEXT NOT NULL,
    "treeHash" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Draft_pkey" PRIMARY KEY ("projectId")
);

-- CreateTable
CREATE TABLE "Revision" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "treeHash" TEXT NOT NULL,
    "parentId" TEXT,
    "author" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Revision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Run" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "treeHash" TEXT NOT NULL,
    "correlationId" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "agent" TEXT,
    "entryAgent" TEXT,
    "message" TEXT NOT NULL,
    "model" TEXT,
    "scripted" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),
    "answer" TEXT,
    "error" TEXT,
    "usage" JSONB,
    "lastSeq" INTEGER NOT NULL DEFAULT 0,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "worker" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "attemptSeq" INTEGER NOT NULL DEFAULT 0,
    "cancelRequestedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Event" (
    "runId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" DOUBLE PRECISION NOT NULL,
    "kind" TEXT NOT NULL,
    "path" TEXT,
    "step" TEXT,
    "body" TEXT NOT NULL,

    CONSTRAINT "Event_pkey" PRIMARY KEY ("runId","seq")
);

-- CreateTable
CREATE TABLE "Setting" (
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "Setting_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "Project_updatedAt_idx" ON "Project"("updatedAt" DESC);

-- CreateIndex
CREATE INDEX "Draft_treeHash_idx" ON "Draft"("treeHash");

-- CreateIndex
CREATE INDEX "Revision_projectId_createdAt_idx" ON "Revision"("projectId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "Revision_treeHash_idx" ON "Revision"("treeHash");

-- CreateIndex
CREATE INDEX "Revision_parentId_idx" ON "Revision"("parentId");

-- CreateIndex
CREATE INDEX "Run_projectId_createdAt_idx" ON "Run"("projectId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "Run_correlationId_createdAt_idx" ON "Run"("correlationId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "Run_createdAt_idx" ON "Run"("createdAt" DESC);

-- CreateIndex
CREATE INDEX "Run_status_idx" ON "Run"("status");

-- CreateIndex
CREATE INDEX "Run_treeHash_idx" ON "Run"("treeHash");

-- AddForeignKey
ALTER TABLE "Draft" ADD CONSTRAINT "Draft_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Draft" ADD CONSTRAINT "Draft_treeHash_fkey" FOREIGN KEY ("treeHash") REFERENCES "Tree"("hash") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_treeHash_fkey" FOREIGN KEY ("treeHash") REFERENCES "Tree"("hash") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "Revision"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_treeHash_fkey" FOREIGN KEY ("treeHash") REFERENCES "Tree"("hash") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Event" ADD CONSTRAINT "Event_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
