-- CreateIndex
CREATE INDEX "Trigger_name_idx" ON "Trigger"("name");
