-- The log records whose scores a run was given. Each is given once, so that one that a person deleted does not come back with later spans.
ALTER TABLE "ImportedTrace" ADD COLUMN "scored" TEXT[] NOT NULL DEFAULT '{}';
