-- Where a project's git history goes when a label moves, and how far that is.
CREATE TABLE "Mirror" (
    "projectId" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "userName" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "followed" INTEGER NOT NULL DEFAULT 0,
    "nextAt" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "claim" TEXT,
    "claimedUntil" TIMESTAMPTZ(3),
    "problem" TEXT,
    "error" TEXT,
    "errorAt" TIMESTAMPTZ(3),
    "pushedHash" TEXT,
    "pushedRevision" INTEGER,
    "pushedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Mirror_pkey" PRIMARY KEY ("projectId"),
    CONSTRAINT "Mirror_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
