import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import { actions, type Decision, decide, scopeFor } from '@/lib/base/rights';
import { writeHookKeys } from '@/lib/store/hook-secret';
import { openingKey } from '@/lib/store/sealing';
import { testDatabase } from '@/lib/testing/postgres';
import { everyActor } from '@/lib/testing/rights/actors';
import { type Decided, decisionFor } from '@/lib/testing/rights/decisions';
import { type Asked, askRoute, everyRoute, routeOf } from '@/lib/testing/rights/every-route';
import { type FullProject, fullProject, missingProject } from '@/lib/testing/rights/full-project';
import { routeDecisions } from '@/lib/testing/rights/route-decisions';

/* Every address of the HTTP API with every kind of actor, on a project of their own and one of others. */

const asks = vi.hoisted(() => ({ actor: undefined as unknown }));
vi.mock('@/lib/server/accounts/who-asks', () => ({ whoAsks: () => Promise.resolve(asks.actor) }));

const { url, store } = await testDatabase();

beforeAll(async () => {
  await store.prisma.authUser.create({ data: { id: 'u', name: 'Ann', email: 'ann@example.org' } });
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_SEALING_KEY', openingKey(Buffer.alloc(32, 7)).publicKey);
  vi.stubEnv('CALLBOARD_HOOKS_KEY', writeHookKeys([openingKey(Buffer.alloc(32, 3))]));
});
afterAll(() => vi.unstubAllEnvs());

const routes = await everyRoute(import.meta.dirname);

test('every route has a decision, and every decision a route', () => {
  const decided = new Set(Object.keys(routeDecisions).map(routeOf));
  expect([...routes.keys()].sort()).toEqual([...decided].sort());
});

/** Each page has another nonce. */
function withoutNonce({ status, body }: Asked): Asked {
  return { status, body: body.replaceAll(/nonce="\w+"/g, '') };
}

async function ask(name: string, decided: Decided, full: FullProject, actor: Actor | undefined): Promise<Asked> {
  asks.actor = actor;
  return await askRoute(routes, name, decided, full);
}

function expected(decided: Decided, actor: Actor | undefined, full: FullProject): Decision | 'nobody' {
  if (actor === undefined) return 'nobody';
  const decision = decisionFor(decided, actor, full);
  if (decision !== 'allowed' || decided.also === undefined) return decision;
  return decide(actor.reach, decided.also, null);
}

const about = Object.entries(routeDecisions).filter(([, { of }]) => of !== 'open' && of !== 'list');

describe('every kind of actor', () => {
  test.each(about)('%s', async (name, decided) => {
    let full = await fullProject(store);
    for (const kind of everyActor(full).keys()) {
      const actor = everyActor(full).get(kind);
      const decision = expected(decided, actor, full);
      const asked = await ask(name, decided, full, actor);
      const said = { name, kind, decision, ...asked };
      if (decision === 'nobody') expect(said).toMatchObject({ status: 401 });
      if (decision === 'unseen') {
        // The page of a browser that comes back from a provider says it in words.
        expect(said).toMatchObject({ status: name === 'GET /oauth/mcp/callback' ? 400 : 404 });
        expect(withoutNonce(asked)).toEqual(withoutNonce(await ask(name, decided, missingProject(full), actor)));
      }
      if (decision === 'refused')
        expect(said).toMatchObject({ status: 403, body: expect.stringContaining('not_allowed') });
      if (decision !== 'allowed' || kind === 'link without texts') expect(asked.body).not.toContain(full.mark);
      if (decision === 'allowed') {
        expect([401, 403, 500], JSON.stringify(said)).not.toContain(asked.status);
        if (decided.misses !== true) expect(asked.status, JSON.stringify(said)).not.toBe(404);
        if (decided.shows) expect([kind, asked.body]).toEqual([kind, expect.stringContaining(full.mark)]);
        if (decided.ends) full = await fullProject(store);
      }
    }
  });
});

const lists = Object.entries(routeDecisions).filter(([, { of }]) => of === 'list');

describe('a list has only what its reader may see', () => {
  test.each(lists)('%s', async (name, decided) => {
    let full = await fullProject(store);
    const shows =
      actions[decided.action].needs === 'read' &&
      (await ask(name, decided, full, everyActor(full).get('administrator'))).body.includes(full.mark);
    for (const kind of everyActor(full).keys()) {
      const actor = everyActor(full).get(kind);
      const asked = await ask(name, decided, full, actor);
      if (actor === undefined) {
        expect([kind, asked.status]).toEqual([kind, 401]);
        continue;
      }
      // A link has no lists.
      expect([kind, asked.status]).toEqual([kind, kind.startsWith('link') ? expect.toBeOneOf([200, 403]) : 200]);
      const scope = scopeFor(actor.reach, decided.action);
      const isIn = scope === 'all' || scope.includes(full.project);
      if (!isIn) expect([kind, asked.body.includes(full.mark)]).toEqual([kind, false]);
      if (isIn && shows) expect([kind, asked.body.includes(full.mark)]).toEqual([kind, true]);
      if (name === 'GET /api/v1/pending/stream') {
        expect([kind, asked.body]).toEqual([kind, expect.stringContaining(`{"open":${isIn ? 1 : 0}}`)]);
      }
      if (name === 'POST /api/v1/pending/answers') {
        const { status } = await store.prisma.pendingItem.findUniqueOrThrow({ where: { id: full.item } });
        expect([kind, status]).toEqual([kind, isIn ? 'answered' : 'open']);
      }
      if (name === 'DELETE /api/v1/runs') {
        const left = await store.prisma.run.count({ where: { id: full.run } });
        expect([kind, left]).toEqual([kind, isIn ? 0 : 1]);
      }
      if (isIn && (decided.ends || name.startsWith('DELETE'))) full = await fullProject(store);
    }
  });
});
