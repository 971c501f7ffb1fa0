import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Files that reach the store without `withStore` and its like, which decide first; and why each may. */
const reasons: Readonly<Record<string, string>> = {
  'app/accounts/account-route.ts': 'pages on which nobody is signed in yet: setup, sign-in, invitations, resets',
  'lib/server/accounts/cli-login.ts':
    'a command that waits for its token has a code alone; what a person does is decided',
  'lib/server/accounts/resolve-actor.ts': 'finds out who asks, by the session',
  'lib/server/accounts/share-actor.ts': 'finds out who asks, by the token of a share link',
  'lib/server/accounts/token-actor.ts': 'finds out who asks, by a token',
  'lib/server/answer-links.ts': 'the signature of the link is what lets its reader in',
  'lib/server/health.ts': 'counts workers',
  'lib/server/hooks.ts': 'the signature of the message is what lets it in',
  'lib/server/imports.ts': 'authorizes once it knows the project; later it settles runs that were let in',
  'lib/server/installation.ts': 'reads names of secrets for what is decided by its callers',
  'lib/server/pending-stream.ts': 'counts within the scope of the actor',
  'lib/server/pending.ts': 'authorizes each of several answers for itself',
  'lib/server/runs.ts': 'follows a run after the actor was allowed to read it',
  'lib/server/summaries.ts': 'makes summaries of trees, which nobody asks for by an id',
  'lib/server/tasks.ts': 'waits for news, and reads the task as the actor',
  'lib/server/tree-readings.ts': 'keeps what was found in a tree that a caller was allowed to read',
};

const root = path.join(import.meta.dirname, '../..');
const undecided = /^(?:systemStore|systemStoreOnce|services)$/;

/** True if a file imports, from services.ts, what decides nothing; or all of it. Types open nothing. */
function bypasses(file: string, text: string): boolean {
  const isServices = (from: string) =>
    path.posix.join(from.startsWith('@/') ? '' : path.posix.dirname(file), from.replace(/^@\//, '')) ===
    'lib/server/services';
  const imports = [...text.matchAll(/(?:import|export)\s+([^;']*?)\s+from\s+'([^']+)'/g)];
  const isPart = imports.some(([, names = '', from = '']) => {
    if (!isServices(from) || names.startsWith('type ')) return false;
    const listed = /^\{([\s\S]*)\}$/.exec(names)?.[1];
    return (
      listed === undefined || listed.split(',').some((name) => undecided.test(name.trim().split(/\s+as\s+/)[0] ?? ''))
    );
  });
  return isPart || [...text.matchAll(/import\('([^']+)'\)/g)].some(([, from = '']) => isServices(from));
}

function sources(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, file.split(path.sep).join('/')))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith('lib/testing/'));
}

test('only listed files reach the store without a check of rights', () => {
  const found = ['app', 'components', 'lib']
    .flatMap(sources)
    .filter((file) => bypasses(file, readFileSync(path.join(root, file), 'utf8')));
  expect(found.sort()).toEqual(Object.keys(reasons).sort());
});

test.each([
  ["import { systemStore } from './services';", true],
  ["import {\n  type Services,\n  services,\n} from '@/lib/server/services';", true],
  ["import * as all from './services';", true],
  ["export { systemStoreOnce as once } from '../server/services';", true],
  ["await import('@/lib/server/services')", true],
  ["import { type Services, withStore } from './services';", false],
  ["import type { Services } from './services';", false],
  ["import { services } from '../editor/services';", false],
])('counts as reaching the store, or not: %s', (text, is) => {
  expect(bypasses('lib/server/a.ts', text)).toBe(is);
});
