import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import { writeHookKeys } from '@/lib/store/hook-secret';
import { openingKey } from '@/lib/store/sealing';
import { testDatabase } from '@/lib/testing/postgres';
import { actionDecisions } from '@/lib/testing/rights/action-decisions';
import { everyActor } from '@/lib/testing/rights/actors';
import type { Decided } from '@/lib/testing/rights/decisions';
import { everyAction } from '@/lib/testing/rights/every-action';
import { askRoute, everyRoute, partsOfRequest, routeOf } from '@/lib/testing/rights/every-route';
import { type FullProject, fullProject, namedParts, withoutParts } from '@/lib/testing/rights/full-project';
import { moreActionAsks, moreRouteAsks } from '@/lib/testing/rights/more-asks';
import { projectRows } from '@/lib/testing/rights/project-rows';
import { routeDecisions } from '@/lib/testing/rights/route-decisions';

/*
 * What belongs to one project, named in an address, a body or the input of an action that is about another project: it is not found, as
 * if nothing had that id, and nothing changes.
 */

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

const routes = await everyRoute(import.meta.dirname);
const actions = await everyAction(import.meta.dirname);

interface Answer {
  readonly code: number | string;
  readonly text: string;
}
type Ask = (full: FullProject) => Promise<Answer>;

const routeAsk =
  (name: string, decided: Decided): Ask =>
  async (full) => {
    const { status, body } = await askRoute(routes, name, decided, full);
    return { code: status, text: body };
  };

const actionAsk =
  (name: string, { input }: Decided): Ask =>
  async (full) => {
    const result = await actions.get(routeOf(name))?.(input?.(full));
    if (result === undefined) throw new Error(`There is no action ${name}`);
    return { code: result.ok ? 'ok' : result.code, text: JSON.stringify(result) };
  };

interface Across {
  readonly part: (typeof namedParts)[number];
  readonly decided: Decided;
  readonly ask: Ask;
}

/** Asks one project for a part of another one, and for a part that nothing has. */
async function expectNothing(across: Across): Promise<void> {
  const { part, decided, ask } = across;
  const [mine, theirs] = [await fullProject(store), await fullProject(store)];
  const [foreign, missing] = [{ ...mine, [part]: theirs[part] }, withoutParts(mine, [part])];
  const rows = async () => [await projectRows(store, mine.project), await projectRows(store, theirs.project)];
  const before = await rows();
  for (const [kind, actor] of strangers(mine, across)) {
    asks.actor = actor;
    const answer = await ask(foreign);
    const plain = (text: string, full: FullProject) => text.replaceAll(String(full[part]), 'it');
    const what = { kind, part, code: answer.code, text: plain(answer.text, foreign) };
    expect(what.text).not.toContain(theirs.mark);
    if (decided.makes) {
      expect((await rows())[1], JSON.stringify(what)).toEqual(before[1]);
      continue;
    }
    const { code, text } = await ask(missing);
    expect(what).toEqual({ kind, part, code: expect.toBeOneOf([...codesFor(part)]), text: plain(text, missing) });
    expect(code).toBe(what.code);
    expect(await rows(), JSON.stringify(what)).toEqual(before);
  }
}

/** An admin of the one project, to whom the other one is hidden; and an administrator, whom no missing right stops. */
function strangers(mine: FullProject, { part, decided }: Across): readonly (readonly [string, Actor | undefined])[] {
  const all = everyActor(mine);
  // An administrator may see both runs, and may add anybody to a project.
  const isBoth = decided.another === 'besides' || part === 'member';
  return (isBoth ? ['admin'] : ['admin', 'administrator']).map((kind) => [kind, all.get(kind)]);
}

/** What is refused in another way than by `not_found`. It is the same for a part that nothing has. */
function codesFor(part: Across['part']): readonly (number | string)[] {
  switch (part) {
    case 'secret':
    case 'hash':
      return [400, 404, 'bad_request', 'not_found'];
    case 'revision':
      return [404, 409, 'conflict', 'not_found'];
    case 'invitation':
    case 'member':
      return ['conflict'];
    default:
      return [404, 'not_found'];
  }
}

/** Lists the parts that a row names, without what it is about: for that `rights.test.ts` has people of other projects. */
function partsOf(name: string, decided: Decided): readonly (typeof namedParts)[number][] {
  const read = partsOfRequest(name, decided, sample);
  const own: string = decided.another === 'instead' ? 'asking' : decided.of;
  return namedParts.filter((part) => read.has(part) && part !== own);
}

const sample = await fullProject(store);

const rowsOf = (rows: Readonly<Record<string, Decided>>, askOf: (name: string, decided: Decided) => Ask) =>
  Object.entries(rows)
    .filter(([, { of }]) => of !== 'list' && of !== 'open' && of !== 'installation')
    .flatMap(([name, decided]) =>
      partsOf(name, decided).map((part) => [name, part, { part, decided, ask: askOf(name, decided) }] as const),
    );

describe('a route finds nothing of another project', () => {
  const rows = rowsOf({ ...routeDecisions, ...moreRouteAsks }, routeAsk);
  test('there are such routes', () => expect(rows.length).toBeGreaterThan(40));
  test.each(rows)('%s by its %s', async (_name, _part, each) => await expectNothing(each));
});

describe('an action finds nothing of another project', () => {
  const rows = rowsOf({ ...actionDecisions, ...moreActionAsks }, actionAsk);
  test('there are such actions', () => expect(rows.length).toBeGreaterThan(30));
  test.each(rows)('%s by its %s', async (_name, _part, each) => await expectNothing(each));
});
