-- What a closed review is compared with. So far it was what was live when the review was opened.
ALTER TABLE "Review" ADD COLUMN "againstId" TEXT;
UPDATE "Review" SET "againstId" = "baseId" WHERE "status" <> 'open';
CREATE INDEX "Review_againstId_idx" ON "Review"("againstId");
ALTER TABLE "Review" ADD CONSTRAINT "Review_againstId_fkey" FOREIGN KEY ("againstId") REFERENCES "Revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;
