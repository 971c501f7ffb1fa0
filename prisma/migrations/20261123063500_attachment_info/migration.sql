-- What lists show of the files of a message, so that they need not read the files.
ALTER TABLE "Run" ADD COLUMN "attachmentInfo" TEXT;
