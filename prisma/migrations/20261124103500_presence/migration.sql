-- Not logged, because a row counts for seconds. A crash of the database empties the table, and open windows fill it again.
CREATE UNLOGGED TABLE "Presence" (
    "projectId" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "window" TEXT NOT NULL,
    "draft" TEXT NOT NULL,
    "place" JSONB NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "seenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "Presence_pkey" PRIMARY KEY ("projectId", "by", "window")
);

CREATE TABLE "DraftSaver" (
    "projectId" TEXT NOT NULL,
    "draft" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "version" INTEGER NOT NULL,

    CONSTRAINT "DraftSaver_pkey" PRIMARY KEY ("projectId", "draft", "by"),
    CONSTRAINT "DraftSaver_projectId_draft_fkey" FOREIGN KEY ("projectId", "draft") REFERENCES "Draft"("projectId", "name") ON DELETE CASCADE ON UPDATE CASCADE
);
