-- DropForeignKey
ALTER TABLE "Revision" DROP CONSTRAINT "Revision_parentId_fkey";

-- DropIndex
DROP INDEX "Revision_projectId_createdAt_idx";

-- AlterTable
ALTER TABLE "Project" ADD COLUMN     "liveId" TEXT;

-- AlterTable
ALTER TABLE "Draft" DROP CONSTRAINT "Draft_pkey",
ADD COLUMN     "baseId" TEXT,
ADD COLUMN     "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "name" TEXT NOT NULL DEFAULT 'main',
ADD CONSTRAINT "Draft_pkey" PRIMARY KEY ("projectId", "name");

-- AlterTable
ALTER TABLE "Revision" ADD COLUMN     "authorId" TEXT,
ADD COLUMN     "authorName" TEXT NOT NULL,
ADD COLUMN     "closure" TEXT NOT NULL,
ADD COLUMN     "closureHash" TEXT NOT NULL,
ADD COLUMN     "draft" TEXT NOT NULL,
ADD COLUMN     "number" INTEGER NOT NULL;

-- AlterTable
ALTER TABLE "Run" ADD COLUMN     "draft" TEXT,
ADD COLUMN     "label" TEXT,
ADD COLUMN     "revisionId" TEXT;

-- CreateTable
CREATE TABLE "Release" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "label" TEXT NOT NULL,
    "revisionId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "reason" TEXT NOT NULL,
    "overrode" TEXT NOT NULL DEFAULT '',
    "reviewId" TEXT,

    CONSTRAINT "Release_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Release_projectId_label_number_idx" ON "Release"("projectId", "label", "number" DESC);

-- CreateIndex
CREATE INDEX "Release_revisionId_idx" ON "Release"("revisionId");

-- CreateIndex
CREATE UNIQUE INDEX "Release_projectId_number_key" ON "Release"("projectId", "number");

-- CreateIndex
CREATE UNIQUE INDEX "Project_liveId_key" ON "Project"("liveId");

-- CreateIndex
CREATE INDEX "Draft_baseId_idx" ON "Draft"("baseId");

-- CreateIndex
CREATE UNIQUE INDEX "Revision_projectId_number_key" ON "Revision"("projectId", "number");

-- CreateIndex
CREATE INDEX "Run_revisionId_createdAt_id_idx" ON "Run"("revisionId", "createdAt" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "Project" ADD CONSTRAINT "Project_liveId_fkey" FOREIGN KEY ("liveId") REFERENCES "Revision"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Draft" ADD CONSTRAINT "Draft_baseId_fkey" FOREIGN KEY ("baseId") REFERENCES "Revision"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "Revision"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Release" ADD CONSTRAINT "Release_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Release" ADD CONSTRAINT "Release_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- What was published stays as it was. Rows of revisions and releases go only with their project.
CREATE FUNCTION revisions_refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM "Project" WHERE id = OLD."projectId") THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'Revisions and releases cannot be changed or removed.';
END $$;

CREATE TRIGGER revision_keep BEFORE UPDATE OR DELETE ON "Revision" FOR EACH ROW EXECUTE FUNCTION revisions_refuse();
CREATE TRIGGER release_keep BEFORE UPDATE OR DELETE ON "Release" FOR EACH ROW EXECUTE FUNCTION revisions_refuse();
