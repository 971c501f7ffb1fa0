import type { ProjectScope } from '@/lib/base/rights';
import type { NamedField } from '@/lib/trace/run-filter';
import type { Store } from './database';
import { containsPattern } from './like-pattern';
import { idsOf } from './scope';

const columns: Readonly<Record<NamedField, string>> = {
  agent: 'agents',
  tool: 'tools',
  hook: 'hooks',
  model: 'models',
  source: 'source',
  by: '"startedBy"',
  user: `marks ->> 'user'`,
  tag: `(SELECT string_agg(tag, E'\\n') FROM jsonb_array_elements_text(marks -> 'tags') tag)`,
};
/** What is known of a run before it ends, as conditions. */
const knownAtStart: Partial<Readonly<Record<NamedField, string>>> = {
  by: '"startedBy" IS NOT NULL',
  user: 'marks IS NOT NULL',
  tag: 'marks IS NOT NULL',
};
const mostRuns = 2_000;
const mostNames = 30;

/**
 * Returns names that contain `text`, of the newest 2,000 runs of the projects that have ended, sorted; at most 30. Who started a run,
 * and its marks, are known before it ends.
 */
export async function findRunNames(
  store: Store,
  scope: ProjectScope,
  field: NamedField,
  text: string,
): Promise<readonly string[]> {
  const isKnown = knownAtStart[field] ?? 'summarised';
  const { rows } = await store.pool.query<{ name: string }>(
    `SELECT DISTINCT name FROM (
       SELECT ${columns[field]} AS names FROM "Run" WHERE ${isKnown} AND ($2::text[] IS NULL OR "projectId" = ANY($2))
       ORDER BY "createdAt" DESC, id DESC LIMIT ${mostRuns}
     ) newest, unnest(string_to_array(names, E'\\n')) AS name
     WHERE name <> '' AND name ILIKE $1 ORDER BY name LIMIT ${mostNames}`,
    [containsPattern(text), idsOf(scope)],
  );
  return rows.map(({ name }) => name);
}
