-- What each set of files uses, made again on demand.
CREATE TABLE "TreeParts" (
    "treeHash" TEXT NOT NULL,
    "format" INTEGER NOT NULL,
    "parts" JSONB NOT NULL,

    CONSTRAINT "TreeParts_pkey" PRIMARY KEY ("treeHash"),
    CONSTRAINT "TreeParts_treeHash_fkey" FOREIGN KEY ("treeHash") REFERENCES "Tree"("hash") ON DELETE CASCADE ON UPDATE CASCADE
);
