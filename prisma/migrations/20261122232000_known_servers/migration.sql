-- CreateTable
CREATE TABLE "ServerListing" (
    "projectId" TEXT NOT NULL,
    "server" TEXT NOT NULL,
    "listing" TEXT NOT NULL,
    "prints" TEXT NOT NULL,
    "listedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ServerListing_pkey" PRIMARY KEY ("projectId","server")
);

-- CreateTable
CREATE TABLE "ServerPick" (
    "projectId" TEXT NOT NULL,
    "server" TEXT NOT NULL,
    "agent" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "prints" TEXT NOT NULL,
    "pickedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ServerPick_pkey" PRIMARY KEY ("projectId","server","agent","kind")
);

-- AddForeignKey
ALTER TABLE "ServerListing" ADD CONSTRAINT "ServerListing_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ServerPick" ADD CONSTRAINT "ServerPick_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
