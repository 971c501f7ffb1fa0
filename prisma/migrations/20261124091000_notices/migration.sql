-- AlterTable
ALTER TABLE "Project" ADD COLUMN "tellUsd" DOUBLE PRECISION, ADD COLUMN "tellSeconds" INTEGER;

-- What there was before is not told. A default that changes rewrites no row.
ALTER TABLE "Run" ADD COLUMN "told" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "Run" ALTER COLUMN "told" SET DEFAULT false;
ALTER TABLE "ReviewComment" ADD COLUMN "told" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "ReviewComment" ALTER COLUMN "told" SET DEFAULT false;

-- AlterTable
ALTER TABLE "NotifyTarget" ADD COLUMN "groups" TEXT[] DEFAULT ARRAY['questions']::TEXT[];

-- AlterTable
ALTER TABLE "Outbox" ADD COLUMN "person" TEXT;

-- CreateTable
CREATE TABLE "PersonNotice" (
    "id" TEXT NOT NULL,
    "person" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "object" TEXT NOT NULL,
    "words" TEXT NOT NULL,
    "href" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "readAt" TIMESTAMPTZ(3),
    "hidden" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "PersonNotice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "NoticeChoice" (
    "person" TEXT NOT NULL,
    "group" TEXT NOT NULL,
    "inApp" BOOLEAN NOT NULL,
    "mail" BOOLEAN NOT NULL,

    CONSTRAINT "NoticeChoice_pkey" PRIMARY KEY ("person","group")
);

-- CreateIndex
CREATE INDEX "PersonNotice_person_createdAt_id_idx" ON "PersonNotice"("person", "createdAt" DESC, "id" DESC);
CREATE INDEX "PersonNotice_projectId_idx" ON "PersonNotice"("projectId");
CREATE UNIQUE INDEX "PersonNotice_person_kind_object_key" ON "PersonNotice"("person", "kind", "object");

-- Indexes of what is looked for again and again.
CREATE INDEX "PersonNotice_unread_idx" ON "PersonNotice"("person") WHERE "readAt" IS NULL AND NOT "hidden";
CREATE INDEX "Run_untold_idx" ON "Run"("id") WHERE NOT "told";
CREATE INDEX "ReviewComment_untold_idx" ON "ReviewComment"("id") WHERE NOT "told";

-- AddForeignKey
ALTER TABLE "PersonNotice" ADD CONSTRAINT "PersonNotice_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Mail to people goes through this target.
INSERT INTO "NotifyTarget" (id, kind, source, address, "groups") VALUES ('people', 'mail', 'people', '', ARRAY[]::TEXT[]);

-- Up to here the audit log was told.
INSERT INTO "Setting" (key, value) SELECT 'notices.told', COALESCE(max(seq), 0)::text FROM "Audit";
