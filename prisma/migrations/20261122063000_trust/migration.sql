-- AlterTable
ALTER TABLE "Project" ADD COLUMN     "origin" TEXT NOT NULL DEFAULT 'import';

-- AlterTable
ALTER TABLE "Run" ADD COLUMN     "confirmedHash" TEXT;

-- CreateTable
CREATE TABLE "ConfirmedList" (
    "projectId" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "items" JSONB NOT NULL,
    "confirmedBy" TEXT NOT NULL,
    "confirmedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ConfirmedList_pkey" PRIMARY KEY ("projectId","hash")
);

-- AddForeignKey
ALTER TABLE "ConfirmedList" ADD CONSTRAINT "ConfirmedList_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Nobody noted who brought the projects that are there. One that has run before goes on as it did. The others ask first.
UPDATE "Project" p SET "origin" = 'earlier' WHERE EXISTS (SELECT 1 FROM "Run" r WHERE r."projectId" = p."id");
