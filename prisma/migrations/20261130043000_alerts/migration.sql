-- People are told when a figure of many runs crosses a line (lib/trace/alerts.ts).
CREATE TABLE "Alert" (
    "id" TEXT NOT NULL,
    "projectId" TEXT,
    "figure" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "threshold" DOUBLE PRECISION NOT NULL,
    "hours" INTEGER NOT NULL,
    "least" INTEGER NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "by" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "raisedAt" TIMESTAMPTZ(3),
    "raises" INTEGER NOT NULL DEFAULT 0,
    "value" DOUBLE PRECISION,
    "calls" INTEGER NOT NULL DEFAULT 0,
    "checkedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Alert_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "Alert_projectId_idx" ON "Alert"("projectId");
ALTER TABLE "Alert" ADD CONSTRAINT "Alert_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- An alert of every project is told to administrators of the installation.
ALTER TABLE "PersonNotice" ALTER COLUMN "projectId" DROP NOT NULL;

-- Who is told of runs by webhook or mail is told of alerts about them.
UPDATE "NotifyTarget" SET groups = array_append(groups, 'alerts') WHERE 'runs' = ANY(groups);
