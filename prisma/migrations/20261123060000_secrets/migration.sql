-- Secrets of projects and of the installation. A value is sealed to a public key; only workers can open it.
CREATE TABLE "Secret" (
    "id" TEXT NOT NULL,
    "projectId" TEXT,
    "name" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "hosts" TEXT[],
    "by" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Secret_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "SecretUse" (
    "secretId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SecretUse_pkey" PRIMARY KEY ("secretId", "projectId")
);

-- A name is used once in a project, and once in the installation.
CREATE UNIQUE INDEX "Secret_place_idx" ON "Secret"(COALESCE("projectId", ''), "name");
CREATE INDEX "Secret_projectId_idx" ON "Secret"("projectId");

ALTER TABLE "Secret" ADD CONSTRAINT "Secret_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SecretUse" ADD CONSTRAINT "SecretUse_secretId_fkey" FOREIGN KEY ("secretId") REFERENCES "Secret"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SecretUse" ADD CONSTRAINT "SecretUse_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
