import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { decide, scopeFor } from '@/lib/base/rights';
import { writeHookKeys } from '@/lib/store/hook-secret';
import { openingKey } from '@/lib/store/sealing';
import { testDatabase } from '@/lib/testing/postgres';
import { actionDecisions } from '@/lib/testing/rights/action-decisions';
import { everyActor } from '@/lib/testing/rights/actors';
import { decisionFor } from '@/lib/testing/rights/decisions';
import { everyAction } from '@/lib/testing/rights/every-action';
import { fullProject, missingProject } from '@/lib/testing/rights/full-project';

/* Every server action with every kind of actor, and every page. */

const asks = vi.hoisted(() => ({ actor: undefined as unknown }));
vi.mock('@/lib/server/accounts/who-asks', () => ({ whoAsks: () => Promise.resolve(asks.actor) }));
vi.mock('next/headers', () => ({ headers: () => Promise.resolve(new Headers({ host: '127.0.0.1:3000' })) }));

const { url, store } = await testDatabase();

beforeAll(async () => {
  await store.prisma.authUser.create({ data: { id: 'u', name: 'Ann', email: 'ann@example.org' } });
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_SEALING_KEY', openingKey(Buffer.alloc(32, 7)).publicKey);
  vi.stubEnv('CALLBOARD_HOOKS_KEY', writeHookKeys([openingKey(Buffer.alloc(32, 3))]));
});
afterAll(() => vi.unstubAllEnvs());

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).map((file) =>
  file.split(path.sep).join('/'),
);
const textOf = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8');

const actions = await everyAction(import.meta.dirname);

test('every server action has a decision, and every decision an action', () => {
  expect([...actions.keys()].sort()).toEqual(Object.keys(actionDecisions).sort());
});

test('every page checks who opens it', () => {
  const pages = files.filter((file) => path.posix.basename(file) === 'page.tsx');
  expect(pages.length).toBeGreaterThan(8);
  // The page of a share link asks for the actor of its link.
  const shared = 'share/run/[link]/page.tsx';
  expect(textOf(shared)).toContain('await whoAsks(');
  expect(pages.filter((file) => file !== shared && !textOf(file).includes('await pageActor()'))).toEqual([]);
});

describe('every kind of actor', () => {
  test.each(Object.entries(actionDecisions))('%s', async (name, decided) => {
    const { action, of, also, input, ends, misses, andIn } = decided;
    const act = actions.get(name);
    if (act === undefined) throw new Error(`There is no action ${name}`);
    let full = await fullProject(store);
    for (const kind of everyActor(full).keys()) {
      const actor = everyActor(full).get(kind);
      asks.actor = actor;
      const result = await act(input?.(full));
      const code = result.ok ? 'ok' : result.code;
      if (actor === undefined) {
        expect([kind, code]).toEqual([kind, 'not_signed_in']);
        continue;
      }
      if (of === 'list') {
        // A link has no lists.
        expect([kind, code]).toEqual([
          kind,
          kind.startsWith('link') ? expect.toBeOneOf(['ok', 'not_allowed', 'not_found']) : 'ok',
        ]);
        const scope = scopeFor(actor.reach, action);
        const isIn = scope === 'all' || scope.includes(full.project);
        if (!isIn) expect([kind, JSON.stringify(result).includes(full.mark)]).toEqual([kind, false]);
        if (name === 'people-actions answerAll') {
          const { status } = await store.prisma.pendingItem.findUniqueOrThrow({ where: { id: full.item } });
          expect([kind, status]).toEqual([kind, isIn ? 'answered' : 'open']);
        }
        if (name === 'runs/actions removeChosen') {
          expect([kind, await store.prisma.run.count({ where: { id: full.run } })]).toEqual([kind, isIn ? 0 : 1]);
        }
        if (ends && isIn) full = await fullProject(store);
        continue;
      }
      const first = decisionFor(decided, actor, full);
      const second = also === undefined ? first : decide(actor.reach, also, null);
      const third = andIn === undefined ? second : decide(actor.reach, andIn, full.project);
      const decision = first === 'allowed' ? (second === 'allowed' ? third : second) : first;
      const said = [kind, decision, code, result.ok ? '' : result.message];
      if (decision === 'unseen') {
        expect(said).toEqual([kind, decision, 'not_found', said[3]]);
        expect(await act(input?.(missingProject(full)))).toEqual(result);
      } else if (decision === 'refused') {
        expect(said).toEqual([kind, decision, 'not_allowed', said[3]]);
      } else {
        const missing = misses ? [] : ['not_found'];
        expect([...missing, 'not_allowed', 'not_signed_in', 'internal'], said.join(' · ')).not.toContain(code);
        if (ends) full = await fullProject(store);
      }
    }
  });
});
