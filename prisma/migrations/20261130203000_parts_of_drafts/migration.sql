-- Who wrote a part of a draft that somebody else put there, such as a restored revision, did not save the draft.
ALTER TABLE "DraftSaver" ADD COLUMN "partVersion" INTEGER NOT NULL DEFAULT 0,
ALTER COLUMN "version" SET DEFAULT 0;
