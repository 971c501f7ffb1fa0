-- CreateTable
CREATE TABLE "Artifact" (
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "writer" TEXT NOT NULL,
    "mimeType" TEXT NOT NULL,
    "encoding" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "content" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Artifact_pkey" PRIMARY KEY ("projectId","name","version")
);

-- CreateIndex
CREATE UNIQUE INDEX "Artifact_projectId_name_writer_key" ON "Artifact"("projectId", "name", "writer");

-- AddForeignKey
ALTER TABLE "Artifact" ADD CONSTRAINT "Artifact_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
