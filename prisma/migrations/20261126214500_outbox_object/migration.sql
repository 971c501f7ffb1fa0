-- AlterTable
ALTER TABLE "Outbox" ADD COLUMN "object" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "Outbox_target_kind_object_key" ON "Outbox"("target", "kind", "object");
