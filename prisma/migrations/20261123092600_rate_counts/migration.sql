-- Not logged, so that counting waits for no disk. A crash of the database empties the table: everybody then has all tries again.
CREATE UNLOGGED TABLE "RateCount" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "RateCount_pkey" PRIMARY KEY ("key")
);

CREATE INDEX "RateCount_expire_idx" ON "RateCount"("expire");
