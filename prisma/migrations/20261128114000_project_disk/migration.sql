-- CreateTable
CREATE TABLE "ProjectDisk" (
    "projectId" TEXT NOT NULL,
    "files" BIGINT NOT NULL,
    "filesPrint" TEXT NOT NULL,
    "rest" BIGINT NOT NULL,
    "countedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ProjectDisk_pkey" PRIMARY KEY ("projectId")
);
