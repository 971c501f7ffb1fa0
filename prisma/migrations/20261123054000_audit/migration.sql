-- Who did what. Entries are only added. Each has the hash of the one before it, so that a changed or missing entry shows.
CREATE TABLE "Audit" (
    "seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "via" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "object" TEXT NOT NULL,
    "projectId" TEXT,
    "body" TEXT NOT NULL,
    "prev" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "Audit_pkey" PRIMARY KEY ("seq")
);

CREATE INDEX "Audit_projectId_seq_idx" ON "Audit"("projectId", "seq" DESC);
CREATE INDEX "Audit_action_seq_idx" ON "Audit"("action", "seq" DESC);

CREATE FUNCTION audit_field(value TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT octet_length(convert_to(value, 'UTF8')) || ':' || value
$$;

-- The same rule as auditHash in lib/base/audit.ts.
CREATE FUNCTION audit_hash(entry "Audit") RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(
    audit_field(entry.prev) || audit_field(entry.seq::text) || audit_field((extract(epoch FROM entry.at) * 1000)::bigint::text)
    || audit_field(entry.actor) || audit_field(entry.via) || audit_field(entry.action) || audit_field(entry.object)
    || audit_field(coalesce(entry."projectId", '')) || audit_field(entry.body), 'UTF8')), 'hex')
$$;

-- Number, time and hash are given inside the lock: a sequence would be drawn before it, and entries of two transactions would then
-- stand in another order than their hashes. The lock is held until the transaction ends.
CREATE FUNCTION audit_link() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  last "Audit";
BEGIN
  PERFORM pg_advisory_xact_lock(5470227461);
  SELECT * INTO last FROM "Audit" ORDER BY seq DESC LIMIT 1;
  NEW.seq := coalesce(last.seq, 0) + 1;
  NEW.at := date_trunc('milliseconds', clock_timestamp());
  NEW.prev := coalesce(last.hash, repeat('0', 64));
  NEW.hash := audit_hash(NEW);
  RETURN NEW;
END $$;

CREATE FUNCTION audit_refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Entries of the audit log cannot be changed or removed.';
END $$;

CREATE TRIGGER audit_link BEFORE INSERT ON "Audit" FOR EACH ROW EXECUTE FUNCTION audit_link();
CREATE TRIGGER audit_keep BEFORE UPDATE OR DELETE ON "Audit" FOR EACH ROW EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_keep_all BEFORE TRUNCATE ON "Audit" FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
