-- CreateTable
CREATE TABLE "CommandApproval" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "command" TEXT NOT NULL,
    "args" TEXT[],
    "cwd" TEXT,
    "environment" TEXT[],
    "files" JSONB NOT NULL,
    "moreFiles" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "by" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "CommandApproval_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CommandUse" (
    "commandId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "usedBy" TEXT[],
    "file" TEXT NOT NULL,
    "line" INTEGER NOT NULL,
    "askedBy" TEXT,
    "askedAt" TIMESTAMPTZ(3),
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "CommandUse_pkey" PRIMARY KEY ("commandId","projectId")
);

-- CreateIndex
CREATE INDEX "CommandApproval_status_at_idx" ON "CommandApproval"("status", "at" DESC);

-- CreateIndex
CREATE INDEX "CommandUse_projectId_idx" ON "CommandUse"("projectId");

-- AddForeignKey
ALTER TABLE "CommandUse" ADD CONSTRAINT "CommandUse_commandId_fkey" FOREIGN KEY ("commandId") REFERENCES "CommandApproval"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CommandUse" ADD CONSTRAINT "CommandUse_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
