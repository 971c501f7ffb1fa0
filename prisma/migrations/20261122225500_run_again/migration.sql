-- The run that a run was made from, and what it takes from it.
ALTER TABLE "Run" ADD COLUMN "againOf" TEXT, ADD COLUMN again TEXT;

CREATE INDEX "Run_againOf_idx" ON "Run" ("againOf", "createdAt" DESC, id DESC);
