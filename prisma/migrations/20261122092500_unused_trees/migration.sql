-- When the collector first saw that nothing names the tree.
ALTER TABLE "Tree" ADD COLUMN "unusedSince" TIMESTAMPTZ(3);
