-- Results of tool calls that a person has pinned: runs of the project get them in place of a call.
CREATE TABLE "Pin" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "agentName" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "arguments" TEXT,
    "result" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Pin_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "Pin_projectId_createdAt_idx" ON "Pin"("projectId", "createdAt" DESC);

ALTER TABLE "Pin" ADD CONSTRAINT "Pin_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
