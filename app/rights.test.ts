import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import { actions, type Decision, decide, scopeFor } from '@/lib/base/rights';
import { openingKey } from '@/lib/store/sealing';
import { testDatabase } from '@/lib/testing/postgres';
import { everyActor } from '@/lib/testing/rights/actors';
import { type Decided, decisionFor } from '@/lib/testing/rights/decisions';
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
});
afterAll(() => vi.unstubAllEnvs());

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => path.posix.basename(file) === 'route.ts' && !file.startsWith('api/[...rest]'))
  // It hands what a share page reads to routes that are tried here.
  .filter((file) => !file.startsWith('share/run/'));

type Handler = (request: Request, context: { params: Promise<unknown> }) => Promise<Response>;

async function handlers(): Promise<ReadonlyMap<string, Handler>> {
  const found = new Map<string, Handler>();
  for (const file of files) {
    const module: Record<string, unknown> = await import(path.join(import.meta.dirname, file));
    for (const [name, handler] of Object.entries(module)) {
      if (/^[A-Z]+$/.test(name)) found.set(`${name} /${path.posix.dirname(file)}`, handler as Handler);
    }
  }
  return found;
}

const routes = await handlers();

test('F-04: every route has a decision, and every decision a route', () => {
  expect([...routes.keys()].sort()).toEqual(Object.keys(routeDecisions).sort());
});

interface Asked {
  readonly status: number;
  readonly body: string;
}

/** Each page has another nonce. */
function withoutNonce({ status, body }: Asked): Asked {
  return { status, body: body.replaceAll(/nonce="\w+"/g, '') };
}

async function ask(name: string, decided: Decided, full: FullProject, actor: Actor | undefined): Promise<Asked> {
  const [method = '', address = ''] = name.split(' ');
  const { asking: _asking, mark: _mark, ...ids } = full;
  const isStop = address.endsWith('/stop');
  const params = {
    ...ids,
    run: isStop ? full.asking : full.run,
    seq: '1',
    sample: 'pmo',
    name: 'OPENAI_API_KEY',
    share: 'none',
    score: 'none',
  };
  const input = decided.input?.(full);
  const headers = {
    Host: '127.0.0.1:3000',
    'Content-Type': 'application/json',
    ...(address === '/v1/traces' && { 'Callboard-Project': full.project }),
  };
  const request = new Request(`http://127.0.0.1:3000${address}${decided.query?.(full) ?? ''}`, {
    method,
    headers,
    ...(input !== undefined && { body: JSON.stringify(input) }),
  });
  asks.actor = actor;
  const response = await routes.get(name)?.(request, { params: Promise.resolve(params) });
  if (response === undefined) throw new Error(`${name} has no handler`);
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return { status: response.status, body: '' };
  }
  return { status: response.status, body: await response.text() };
}

function expected(decided: Decided, actor: Actor | undefined, full: FullProject): Decision | 'nobody' {
  if (actor === undefined) return 'nobody';
  const decision = decisionFor(decided, actor, full);
  if (decision !== 'allowed' || decided.also === undefined) return decision;
  return decide(actor.reach, decided.also, null);
}

const about = Object.entries(routeDecisions).filter(([, { of }]) => of !== 'open' && of !== 'list');

describe('F-04: every kind of actor', () => {
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
        expect(asked.body).not.toMatch(/There is no such (project|run|question)/);
        if (decided.ends) full = await fullProject(store);
      }
    }
  });
});

const lists = Object.entries(routeDecisions).filter(([, { of }]) => of === 'list');

describe('F-04: a list has what the actor may see', () => {
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
