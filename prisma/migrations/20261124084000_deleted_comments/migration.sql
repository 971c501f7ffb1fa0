-- A deleted comment keeps its place in the thread, without its text.
ALTER TABLE "ReviewComment" ADD COLUMN "deletedAt" TIMESTAMPTZ(3);
