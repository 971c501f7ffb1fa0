-- For how long a run waited for people, which filters ask, and how often a remembered approval answered.
ALTER TABLE "Run" ADD COLUMN "peopleMs" DOUBLE PRECISION;
CREATE INDEX "Run_peopleMs_idx" ON "Run"("peopleMs") WHERE "peopleMs" IS NOT NULL;

ALTER TABLE "Grant" ADD COLUMN "uses" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "lastUsedAt" TIMESTAMPTZ(3);
