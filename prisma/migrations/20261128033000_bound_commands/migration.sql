-- AlterTable
ALTER TABLE "Secret" ADD COLUMN "version" TEXT;
UPDATE "Secret" SET "version" = "id";
ALTER TABLE "Secret" ALTER COLUMN "version" SET NOT NULL;

-- AlterTable
ALTER TABLE "CommandApproval" ADD COLUMN "filledBy" JSONB NOT NULL DEFAULT '[]';

-- An approval holds in one project. Those of before stay where somebody asked for them, and end in projects that only used them.
-- The id is that of `commandId` (lib/cards/trust/command.ts).
CREATE TEMPORARY TABLE bound ON COMMIT DROP AS
SELECT u."commandId" AS old, u."projectId",
  encode(sha256(convert_to('["' || c.kind || ' of project",' || to_json(u."projectId")::text || ',"' || c.id || '"]', 'UTF8')), 'hex') AS id
FROM "CommandUse" u JOIN "CommandApproval" c ON c.id = u."commandId"
WHERE c.kind <> 'shell' AND u."askedAt" IS NOT NULL;

INSERT INTO "CommandApproval" (id, kind, name, command, args, cwd, environment, files, "moreFiles", status, note, by, at)
SELECT b.id, c.kind, c.name, c.command, c.args, c.cwd, c.environment, c.files, c."moreFiles", c.status, c.note, c.by, c.at
FROM bound b JOIN "CommandApproval" c ON c.id = b.old;

INSERT INTO "CommandUse" ("commandId", "projectId", name, "usedBy", file, line, "askedBy", "askedAt", "usedAt")
SELECT b.id, u."projectId", u.name, u."usedBy", u.file, u.line, u."askedBy", u."askedAt", u."usedAt"
FROM bound b JOIN "CommandUse" u ON u."commandId" = b.old AND u."projectId" = b."projectId";

DELETE FROM "CommandApproval" WHERE kind <> 'shell' AND id NOT IN (SELECT id FROM bound);
