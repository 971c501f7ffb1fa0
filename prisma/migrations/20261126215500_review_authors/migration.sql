-- Who has a part in a revision besides its author. Of a draft with changes, everybody who saved it has.
ALTER TABLE "Draft" ADD COLUMN "savedVersion" INTEGER NOT NULL DEFAULT 0;
UPDATE "Draft" d SET "savedVersion" = d.version FROM "Revision" r WHERE r.id = d."baseId" AND r."treeHash" = d."treeHash";
-- A trigger refuses updates of revisions, so rows that are there get the empty list as a default.
ALTER TABLE "Revision" ADD COLUMN "savers" TEXT[] DEFAULT ARRAY[]::TEXT[];
ALTER TABLE "Revision" ALTER COLUMN "savers" DROP DEFAULT;
ALTER TABLE "ReviewHead" ADD COLUMN "authors" TEXT[] DEFAULT ARRAY[]::TEXT[];
ALTER TABLE "ReviewHead" ALTER COLUMN "authors" DROP DEFAULT;
