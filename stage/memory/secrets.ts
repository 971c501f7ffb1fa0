import { brandAs, type EpochMs } from '@/lib/base/ids';
import { parseJson } from '@/lib/base/json';
import { actionsOf } from './actions-of';
import type { Answers } from './backend';

const kept = 'stage-secrets';

/** Returns the names of the stored secrets. All tabs have the same ones, as they have one server. */
export function storedNames(): readonly string[] {
  const names = parseJson(localStorage.getItem(kept) ?? '');
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** Answers the services of secrets: what is stored is in the list from then on. */
export function memorySecrets(): Answers {
  const at = brandAs<EpochMs>(Date.now());
  const shown = () => ({
    secrets: storedNames().map((name) => ({
      ...{ id: name, name, project: null, by: 'ada@example.org', at },
      ...{ hosts: [], projects: [], uses: [], namedBy: [] },
    })),
    unread: 0,
    needsBounds: true,
  });
  return actionsOf<typeof import('@/app/secret-actions')>('secret-actions', {
    listSecrets: shown,
    saveSecret: ({ name }) => {
      localStorage.setItem(kept, JSON.stringify([...storedNames().filter((each) => each !== name), name]));
      return shown();
    },
  });
}
