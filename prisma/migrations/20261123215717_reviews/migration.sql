-- CreateTable
CREATE TABLE "ReviewPolicy" (
    "projectId" TEXT NOT NULL,
    "approvals" INTEGER NOT NULL,
    "authorMayApprove" BOOLEAN NOT NULL,
    "owners" JSONB NOT NULL,
    "by" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ReviewPolicy_pkey" PRIMARY KEY ("projectId")
);

-- CreateTable
CREATE TABLE "Review" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "authorName" TEXT NOT NULL,
    "baseId" TEXT,
    "headId" TEXT NOT NULL,
    "draft" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Review_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ReviewHead" (
    "reviewId" TEXT NOT NULL,
    "n" INTEGER NOT NULL,
    "revisionId" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ReviewHead_pkey" PRIMARY KEY ("reviewId","n")
);

-- CreateTable
CREATE TABLE "Verdict" (
    "id" TEXT NOT NULL,
    "reviewId" TEXT NOT NULL,
    "revisionId" TEXT NOT NULL,
    "closureHash" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "byName" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "staleAt" TIMESTAMPTZ(3),
    "staleBy" TEXT,

    CONSTRAINT "Verdict_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ReviewThread" (
    "id" TEXT NOT NULL,
    "reviewId" TEXT NOT NULL,
    "anchor" JSONB NOT NULL,
    "version" INTEGER NOT NULL,
    "excerpt" TEXT NOT NULL,
    "place" JSONB NOT NULL,
    "outdatedIn" INTEGER,
    "state" TEXT NOT NULL DEFAULT 'open',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "resolvedBy" TEXT,

    CONSTRAINT "ReviewThread_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ReviewComment" (
    "id" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "authorName" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "mentions" TEXT[],
    "suggestion" TEXT,
    "appliedBy" TEXT,
    "appliedAt" TIMESTAMPTZ(3),
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "editedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ReviewComment_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Review_baseId_idx" ON "Review"("baseId");

-- CreateIndex
CREATE INDEX "Review_headId_idx" ON "Review"("headId");

-- CreateIndex
CREATE UNIQUE INDEX "Review_projectId_number_key" ON "Review"("projectId", "number");

-- CreateIndex
CREATE INDEX "ReviewHead_revisionId_idx" ON "ReviewHead"("revisionId");

-- CreateIndex
CREATE INDEX "Verdict_reviewId_at_idx" ON "Verdict"("reviewId", "at");

-- CreateIndex
CREATE INDEX "Verdict_revisionId_idx" ON "Verdict"("revisionId");

-- CreateIndex
CREATE INDEX "Verdict_closureHash_idx" ON "Verdict"("closureHash");

-- CreateIndex
CREATE INDEX "ReviewThread_reviewId_createdAt_idx" ON "ReviewThread"("reviewId", "createdAt");

-- CreateIndex
CREATE INDEX "ReviewComment_threadId_at_idx" ON "ReviewComment"("threadId", "at");

-- AddForeignKey
ALTER TABLE "ReviewPolicy" ADD CONSTRAINT "ReviewPolicy_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Review" ADD CONSTRAINT "Review_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Review" ADD CONSTRAINT "Review_baseId_fkey" FOREIGN KEY ("baseId") REFERENCES "Revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Review" ADD CONSTRAINT "Review_headId_fkey" FOREIGN KEY ("headId") REFERENCES "Revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReviewHead" ADD CONSTRAINT "ReviewHead_reviewId_fkey" FOREIGN KEY ("reviewId") REFERENCES "Review"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReviewHead" ADD CONSTRAINT "ReviewHead_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Verdict" ADD CONSTRAINT "Verdict_reviewId_fkey" FOREIGN KEY ("reviewId") REFERENCES "Review"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Verdict" ADD CONSTRAINT "Verdict_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReviewThread" ADD CONSTRAINT "ReviewThread_reviewId_fkey" FOREIGN KEY ("reviewId") REFERENCES "Review"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReviewComment" ADD CONSTRAINT "ReviewComment_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES "ReviewThread"("id") ON DELETE CASCADE ON UPDATE CASCADE;
