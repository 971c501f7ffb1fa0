-- CreateTable
CREATE TABLE "McpSignIn" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "server" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "expiresAt" TIMESTAMPTZ(3),
    "refreshedAt" TIMESTAMPTZ(3),
    "usedAt" TIMESTAMPTZ(3),
    "endedBecause" TEXT,
    "by" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "McpSignIn_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "McpSignInAttempt" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "server" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "state" TEXT,
    "browser" TEXT,
    "by" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "McpSignInAttempt_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "McpSignIn_projectId_address_key" ON "McpSignIn"("projectId", "address");

-- CreateIndex
CREATE UNIQUE INDEX "McpSignInAttempt_state_key" ON "McpSignInAttempt"("state");

-- CreateIndex
CREATE INDEX "McpSignInAttempt_projectId_idx" ON "McpSignInAttempt"("projectId");

-- CreateIndex
CREATE INDEX "McpSignInAttempt_at_idx" ON "McpSignInAttempt"("at");

-- AddForeignKey
ALTER TABLE "McpSignIn" ADD CONSTRAINT "McpSignIn_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "McpSignInAttempt" ADD CONSTRAINT "McpSignInAttempt_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
