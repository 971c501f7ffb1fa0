-- The live revision that a draft was updated from. It counts beside the parent when a draft is compared with what is live.
ALTER TABLE "Draft" ADD COLUMN "mergedId" TEXT;
ALTER TABLE "Revision" ADD COLUMN "mergedId" TEXT;
