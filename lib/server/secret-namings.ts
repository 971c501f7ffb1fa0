import type { ProjectScope } from '@/lib/base/rights';
import type { SecretNaming } from '@/lib/base/uses';
import type { Store } from '@/lib/store/database';
import { mirrorsWithSecrets } from '@/lib/store/mirrors';
import { projectsWithOwn, type SecretRow } from '@/lib/store/secrets';
import { findNamedSecrets, findNamedTrees } from '@/lib/store/tree-parts';
import { readMissing } from './uses';

/** A secret, and what names it in the drafts and labelled revisions of projects. */
export interface ListedSecret extends SecretRow {
  readonly namedBy: readonly SecretNaming[];
}

export interface ListedSecrets {
  readonly secrets: readonly ListedSecret[];
  /** Sets of files that could not be looked into this time. */
  readonly unread: number;
}

/** The secrets of a place. */
export interface SecretsOfPlace extends ListedSecrets {
  /** True if a secret must name hosts or projects here, unless it is the key of a model provider. */
  readonly needsBounds: boolean;
}

/**
 * Says of each secret what names it in projects of the scope. All secrets are of one place. A project with a secret of its own does not
 * count for that of the installation.
 */
export async function withNamings(
  store: Store,
  rows: readonly SecretRow[],
  scope: ProjectScope,
): Promise<ListedSecrets> {
  if (rows.length === 0) return { secrets: [], unread: 0 };
  const names = rows.map(({ name }) => name);
  const trees = await findNamedTrees(store, null, scope);
  const hashes = trees.map(({ treeHash }) => treeHash);
  const unread = await readMissing(store, hashes);
  const [found, mirrors, own] = await Promise.all([
    findNamedSecrets(store, hashes, names),
    mirrorsWithSecrets(store, scope, names),
    projectsWithOwn(store, names),
  ]);
  const replaced = new Set(own.map(({ project, name }) => `${project} ${name}`));
  const namings = trees.flatMap(({ projectId: project, projectName, treeHash, places }) =>
    (found.get(treeHash) ?? []).flatMap(({ name: secret, by }) =>
      by.map(({ kind, name }) => ({ secret, naming: { kind, name, project, projectName, places } })),
    ),
  );
  for (const { project, projectName, url, secret } of mirrors) {
    const naming = { kind: 'mirror' as const, name: new URL(url).host, project, projectName, places: [] };
    namings.push({ secret, naming });
  }
  const secrets = rows.map((row) => ({
    ...row,
    namedBy: merged(
      namings.flatMap(({ secret, naming }) => {
        const isReplaced = row.project === null && replaced.has(`${naming.project} ${secret}`);
        return secret === row.name && !isReplaced ? [naming] : [];
      }),
    ),
  }));
  return { secrets, unread };
}

/** Joins what the same server, provider or agent says in several sets of files of a project. */
function merged(namings: readonly SecretNaming[]): readonly SecretNaming[] {
  const found = new Map<string, SecretNaming>();
  for (const naming of namings) {
    const key = JSON.stringify([naming.project, naming.kind, naming.name]);
    const known = found.get(key);
    found.set(key, known === undefined ? naming : { ...known, places: [...known.places, ...naming.places] });
  }
  return [...found.values()];
}
