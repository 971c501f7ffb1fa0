import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { decide } from '@/lib/base/rights';
import { openingKey } from '@/lib/store/sealing';
import { withAccounts } from '@/lib/testing/accounts';
import { testDatabase } from '@/lib/testing/postgres';
import { everyActor } from '@/lib/testing/rights/actors';
import { decisionFor } from '@/lib/testing/rights/decisions';
import { type FullProject, fullProject, missingProject } from '@/lib/testing/rights/full-project';

/*
 * Every page with every kind of actor. A page is called as the server calls it, and what it hands to its components is read: that is
 * what goes to the browser.
 */

const asks = vi.hoisted(() => ({ actor: undefined as unknown }));
vi.mock('@/lib/server/accounts/who-asks', () => ({ whoAsks: () => Promise.resolve(asks.actor) }));
vi.mock('next/headers', () => ({
  headers: () => Promise.resolve(new Headers({ host: '127.0.0.1:3000' })),
  cookies: () => Promise.resolve({ get: () => undefined }),
}));

const { url, store } = await testDatabase();
withAccounts();

beforeAll(async () => {
  await store.prisma.authUser.create({ data: { id: 'u', name: 'Ann', email: 'ann@example.org' } });
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_SEALING_KEY', openingKey(Buffer.alloc(32, 7)).publicKey);
});
afterAll(() => vi.unstubAllEnvs());

interface PageRow {
  /** A project and a run have pages of their own; other pages have what the person may see of them. */
  readonly of: 'project' | 'run' | 'list' | 'administrators' | 'person';
  readonly query?: (full: FullProject) => Readonly<Record<string, string>>;
  /** The browser asks for what belongs to projects, so that the page has nothing of them. */
  readonly empty?: true;
}

/** Every page has a row here, or a test fails. */
const pages: Readonly<Record<string, PageRow>> = {
  page: { of: 'list' },
  'account/page': { of: 'person' },
  'cli/page': { of: 'person', empty: true },
  'compare/page': { of: 'list', query: ({ run, asking }) => ({ a: run, b: asking }) },
  'inbox/page': { of: 'list', empty: true },
  'notices/page': { of: 'list', empty: true },
  'p/[project]/page': { of: 'project', query: ({ run, draft }) => ({ again: run, draft }) },
  'p/[project]/chat/page': { of: 'project' },
  'p/[project]/members/page': { of: 'project' },
  'p/[project]/reviews/page': { of: 'project' },
  'p/[project]/reviews/[review]/page': { of: 'project' },
  'p/[project]/revisions/page': { of: 'project' },
  'p/[project]/tests/page': { of: 'project' },
  'p/[project]/tests/new/page': { of: 'project', query: ({ run }) => ({ run }), empty: true },
  'p/[project]/triggers/page': { of: 'project' },
  'r/[run]/page': { of: 'run' },
  'runs/page': { of: 'list' },
  'settings/page': { of: 'list', query: ({ project }) => ({ secrets: project }) },
  'settings/audit/page': { of: 'list', query: ({ project }) => ({ project }) },
  'settings/commands/page': { of: 'administrators' },
  'settings/people/page': { of: 'administrators' },
  'settings/policy/page': { of: 'list', query: ({ project }) => ({ project }) },
};

test('every page has a row in the table of rights, and every row has a page', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => path.posix.basename(file) === 'page.tsx')
    // One is for those who make Callboard; the other asks for the actor of its link (page-guard.test.ts, share/).
    .filter((file) => !file.startsWith('dev/') && !file.startsWith('share/'));
  expect(files.map((file) => file.slice(0, -'.tsx'.length)).sort()).toEqual(Object.keys(pages).sort());
});

type Page = (props: { params: Promise<unknown>; searchParams: Promise<unknown> }) => Promise<unknown>;

/** How a page answers, and what it hands out. */
interface Opened {
  readonly as: 'shown' | 'not found' | 'sign in' | 'refused';
  readonly text: string;
}

async function open(name: string, full: FullProject, actor: Actor | undefined): Promise<Opened> {
  const { default: page }: { default: Page } = await import(path.join(import.meta.dirname, `${name}.tsx`));
  asks.actor = actor;
  const params = Promise.resolve({ project: full.project, run: full.run, review: String(full.review) });
  try {
    const shown = await page({ params, searchParams: Promise.resolve(pages[name]?.query?.(full) ?? {}) });
    return { as: 'shown', text: textOf(shown) };
  } catch (error) {
    if (error instanceof AppError)
      return { as: error.code === 'not_found' ? 'not found' : 'refused', text: error.message };
    const digest = error instanceof Error && 'digest' in error ? String(error.digest) : undefined;
    if (digest?.startsWith('NEXT_REDIRECT;')) return { as: 'sign in', text: '' };
    if (digest === 'NEXT_HTTP_ERROR_FALLBACK;404') return { as: 'not found', text: '' };
    throw error;
  }
}

/** Writes an element with all its props. */
function textOf(element: unknown): string {
  const seen = new WeakSet<object>();
  return JSON.stringify(element, (key, value: unknown) => {
    // What React keeps for itself.
    if (key.startsWith('_')) return undefined;
    if (typeof value !== 'object' || value === null) return value;
    if (key === 'type' || seen.has(value)) return undefined;
    seen.add(value);
    return value instanceof Map || value instanceof Set ? [...value] : value;
  });
}

/** Without ids of the project that was asked for, and without times. */
function plain({ as, text }: Opened, { project, run, asking }: FullProject): Opened {
  const ids = [project, run, asking].reduce((kept: string, id) => kept.replaceAll(id, 'it'), text);
  return { as, text: ids.replace(/"readAt":\d+/, '') };
}

/** True if the actor may open the project, or with a link its run. */
function maySee(actor: Actor, { of }: PageRow, full: FullProject): boolean {
  if (of === 'run') return decisionFor({ action: 'run.read', of: 'run' }, actor, full) === 'allowed';
  return decisionFor({ action: 'project.read', of: 'project' }, actor, full) === 'allowed';
}

describe('every kind of actor', () => {
  test.each(Object.entries(pages))('%s', async (name, row) => {
    const full = await fullProject(store);
    const isOwnPage = row.of === 'project' || row.of === 'run';
    for (const [kind, actor] of everyActor(full)) {
      const opened = await open(name, full, actor);
      const said = { kind, as: opened.as, marked: opened.text.includes(full.mark) };
      if (actor === undefined) {
        expect(said).toEqual({ kind, as: 'sign in', marked: false });
        continue;
      }
      if (!maySee(actor, row, full)) {
        expect(said).toEqual({ kind, as: isOwnPage ? 'not found' : opened.as, marked: false });
        const missing = missingProject(full);
        const other = await open(name, missing, actor);
        expect({ kind, ...plain(opened, full) }).toEqual({ kind, ...plain(other, missing) });
      } else if (isOwnPage) {
        // A link has a page of its own.
        const isLink = kind.startsWith('link');
        expect(said).toEqual({ kind, as: isLink ? 'not found' : 'shown', marked: !isLink && row.empty !== true });
      }
      if (row.of === 'administrators') {
        const isAllowed = decide(actor.reach, 'installation.people', null) === 'allowed';
        expect(said).toEqual({ kind, as: isAllowed ? 'shown' : opened.as, marked: isAllowed });
      }
    }
  });
});
