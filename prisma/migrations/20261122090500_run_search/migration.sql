-- Lists are read newest first, page by page: the key of a page is (createdAt, id).
DROP INDEX "Run_createdAt_idx";
DROP INDEX "Run_projectId_createdAt_idx";
DROP INDEX "Run_correlationId_createdAt_idx";
DROP INDEX "Run_status_idx";
DROP INDEX "Project_updatedAt_idx";

CREATE INDEX "Run_createdAt_id_idx" ON "Run"("createdAt" DESC, "id" DESC);
CREATE INDEX "Run_projectId_createdAt_id_idx" ON "Run"("projectId", "createdAt" DESC, "id" DESC);
CREATE INDEX "Run_correlationId_createdAt_id_idx" ON "Run"("correlationId", "createdAt" DESC, "id" DESC);
CREATE INDEX "Run_status_createdAt_id_idx" ON "Run"("status", "createdAt" DESC, "id" DESC);
CREATE INDEX "Project_updatedAt_id_idx" ON "Project"("updatedAt" DESC, "id" DESC);

-- Parts of texts are found by their trigrams, in any case (lib/store/run-pages.ts asks for the same expressions). A server without
-- the extension, or an account that may not create it, goes without: such a search reads all runs then.
-- The engine that applies migrations ends a statement at every semicolon, so those of the block are written \x3b.
DO E'
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm\x3b
  CREATE INDEX "Run_texts_idx" ON "Run"
    USING gin (left(message, 500) gin_trgm_ops, (COALESCE("entryAgent", agent)) gin_trgm_ops)
    WITH (gin_pending_list_limit = 1024)\x3b
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object THEN
  RAISE NOTICE ''Callboard goes without pg_trgm: %'', SQLERRM\x3b
END
';
