import { z } from 'zod';
import type { RunId } from '@/lib/base/ids';
import type { Artifacts } from '@/lib/runtime/ports';
import type { Store } from './database';
import { fromJsonText, toJsonText, toPlainText } from './json-text';

const entry = z.object({ name: z.string(), version: z.number(), mimeType: z.string(), bytes: z.number() });
const whole = entry.extend({ encoding: z.enum(['text', 'base64']), content: z.string() });

/** When several saves of one name compete for the next version number, one succeeds and the others retry. */
const maxTries = 20;

/**
 * Stores the `user:` artifacts of the project that a run belongs to. All methods reject when the database is unreachable.
 */
export function projectArtifacts(store: Store, runId: RunId): Artifacts {
  return {
    async save(name, { mimeType, encoding, content }, key) {
      const bytes = encoding === 'text' ? Buffer.byteLength(content) : Buffer.byteLength(content, 'base64');
      for (let tries = 0; tries < maxTries; tries++) {
        const { rows } = await store.pool.query(
          `WITH project AS (SELECT "projectId" AS id FROM "Run" WHERE id = $1),
           made AS (
             INSERT INTO "Artifact" ("projectId", name, version, writer, "mimeType", encoding, bytes, content)
             SELECT p.id, $2, 1 + coalesce((SELECT max(version) FROM "Artifact" a WHERE a."projectId" = p.id AND a.name = $2), 0),
               $3, $4, $5, $6, $7
             FROM project p
             WHERE NOT EXISTS (SELECT 1 FROM "Artifact" a WHERE a."projectId" = p.id AND a.name = $2 AND a.writer = $3)
             ON CONFLICT DO NOTHING
             RETURNING version)
           SELECT version FROM made
           UNION ALL
           SELECT a.version FROM "Artifact" a JOIN project p ON a."projectId" = p.id WHERE a.name = $2 AND a.writer = $3`,
          [runId, toPlainText(name), toPlainText(key), toPlainText(mimeType), encoding, bytes, toJsonText(content)],
        );
        const saved = z.object({ version: z.number() }).safeParse(rows[0]);
        if (saved.success) return saved.data.version;
      }
      throw new Error(`The artifact '${name}' is saved by too many calls at once. Save it again.`);
    },
    async load(name, version) {
      const { rows } = await store.pool.query(
        `SELECT a.name, a.version, a."mimeType", a.bytes, a.encoding, a.content
         FROM "Artifact" a JOIN "Run" r ON r."projectId" = a."projectId"
         WHERE r.id = $1 AND a.name = $2 AND ($3::int IS NULL OR a.version = $3)
         ORDER BY a.version DESC LIMIT 1`,
        [runId, toPlainText(name), version ?? null],
      );
      if (rows.length === 0) return undefined;
      const found = whole.parse(rows[0]);
      return { ...found, content: fromJsonText(found.content) };
    },
    async list() {
      const { rows } = await store.pool.query(
        `SELECT DISTINCT ON (a.name) a.name, a.version, a."mimeType", a.bytes
         FROM "Artifact" a JOIN "Run" r ON r."projectId" = a."projectId"
         WHERE r.id = $1 ORDER BY a.name, a.version DESC`,
        [runId],
      );
      return z.array(entry).parse(rows);
    },
  };
}
