-- What people and programs think of a run, or of one span of it.
CREATE TABLE "Score" (
    "id" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "span" INTEGER,
    "spanKind" TEXT,
    "spanPath" TEXT,
    "spanStep" TEXT,
    "spanAt" DOUBLE PRECISION,
    "name" TEXT NOT NULL,
    "value" DOUBLE PRECISION,
    "note" TEXT,
    "author" TEXT NOT NULL,
    "authorName" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Score_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Score_value_check" CHECK ("value" BETWEEN 0 AND 1),
    CONSTRAINT "Score_something_check" CHECK ("value" IS NOT NULL OR "note" IS NOT NULL),
    CONSTRAINT "Score_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    -- Checked at the end of a statement, because the spans of an imported run may swap their numbers.
    CONSTRAINT "Score_runId_span_name_author_key" UNIQUE ("runId", "span", "name", "author") DEFERRABLE INITIALLY IMMEDIATE
);

-- The means that filters and lists read.
CREATE TABLE "ScoreMean" (
    "runId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "mean" DOUBLE PRECISION NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "ScoreMean_pkey" PRIMARY KEY ("runId", "name"),
    CONSTRAINT "ScoreMean_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "ScoreMean_name_mean_runId_idx" ON "ScoreMean"("name", "mean", "runId");
