CREATE TABLE "PolicyRule" (
    "id" TEXT NOT NULL,
    "projectId" TEXT,
    "name" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "demand" JSONB NOT NULL,
    "by" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PolicyRule_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "PolicyRule_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "PolicyRule_projectId_idx" ON "PolicyRule"("projectId");
-- A name stands once in a project, or for all projects.
CREATE UNIQUE INDEX "PolicyRule_name_key" ON "PolicyRule"(COALESCE("projectId", ''), "name");
