import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import type { Json, JsonObject } from '@/lib/base/json';
import type { Grant } from '@/lib/base/pending';
import { argumentsHashOf } from './arguments-hash';
import { type AskingCall, matchGrant } from './match-grant';

const at = (ms: number) => brandAs<EpochMs>(ms);
const args: JsonObject = { to: 'ann@example.com', copy: ['bo@example.com'], size: 3 };

function callOf(given: JsonObject, more: Partial<AskingCall> = {}): AskingCall {
  return {
    tool: 'mail__send',
    serverName: 'mail',
    agent: 'Clerk',
    schemaHash: 's1',
    cardHash: 'c1',
    argumentsHash: argumentsHashOf(given),
    arguments: given,
    ...more,
  };
}

function grantOf(more: Partial<Grant> = {}): Grant {
  const known = { id: 'g', scope: 'run', tool: 'mail__send', serverName: 'mail', agent: 'Clerk' } as const;
  return { ...known, schemaHash: 's1', cardHash: 'c1', by: 'ann', at: at(0), ...more };
}

const holds = (grant: Grant, call: AskingCall, now = 5) => matchGrant([grant], call, at(now)) !== undefined;

describe('a remembered approval', () => {
  it('holds for the exact arguments, in any order of their members', () => {
    const exact = grantOf({ argumentsHash: argumentsHashOf(args) });
    expect(holds(exact, callOf(args))).toBe(true);
    expect(holds(exact, callOf({ size: 3, copy: ['bo@example.com'], to: 'ann@example.com' }))).toBe(true);
    const others: readonly JsonObject[] = [
      { ...args, size: 4 },
      { ...args, more: null },
      { to: 'ann@example.com' },
      {},
    ];
    for (const other of others) {
      expect(holds(exact, callOf(other))).toBe(false);
    }
  });

  it('has equal hashes exactly for equal arguments', () => {
    const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
    const objects = fc.dictionary(fc.string({ maxLength: 3 }), json, { maxKeys: 4 });
    const shuffled = (value: Json): Json =>
      Array.isArray(value)
        ? value.map(shuffled)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .map(([key, member]): [string, Json] => [key, shuffled(member)])
                .reverse(),
            )
          : value;
    fc.assert(
      fc.property(objects, objects, (one, two) => {
        const same = shuffled(one) as JsonObject;
        expect(argumentsHashOf(same)).toBe(argumentsHashOf(one));
        const isEqual = JSON.stringify(sorted(one)) === JSON.stringify(sorted(two));
        expect(argumentsHashOf(one) === argumentsHashOf(two)).toBe(isEqual);
      }),
    );
  });

  it('ends with a change of the schema or of the card of the asker, and with its time', () => {
    expect(holds(grantOf(), callOf(args))).toBe(true);
    expect(holds(grantOf(), callOf(args, { schemaHash: 's2' }))).toBe(false);
    expect(holds(grantOf(), callOf(args, { cardHash: 'c2' }))).toBe(false);
    expect(holds(grantOf({ expiresAt: at(6) }), callOf(args), 5)).toBe(true);
    expect(holds(grantOf({ expiresAt: at(6) }), callOf(args), 6)).toBe(false);
  });

  it('is for one tool of one server, and for one agent unless it names none', () => {
    expect(holds(grantOf(), callOf(args, { tool: 'mail__send_all' }))).toBe(false);
    expect(holds(grantOf(), callOf(args, { serverName: 'post' }))).toBe(false);
    // Server `mail` with `box__send`, and server `mail__box` with `send`.
    const both = 'mail__box__send';
    expect(holds(grantOf({ tool: both }), callOf(args, { tool: both }))).toBe(true);
    expect(holds(grantOf({ tool: both }), callOf(args, { tool: both, serverName: 'mail__box' }))).toBe(false);
    expect(holds(grantOf(), callOf(args, { serverName: undefined }))).toBe(false);
    expect(holds(grantOf(), callOf(args, { agent: 'Lead' }))).toBe(false);
    expect(holds(grantOf({ agent: undefined, cardHash: undefined }), callOf(args, { agent: 'Lead' }))).toBe(true);
  });

  it('may hold for a pattern, in which only * is special', () => {
    const pattern = (patterns: Record<string, string>) => grantOf({ patterns });
    expect(holds(pattern({ to: '*@example.com' }), callOf(args))).toBe(true);
    expect(holds(pattern({ to: '*@example.com' }), callOf({ to: 'ann@example.com.evil' }))).toBe(false);
    expect(holds(pattern({ to: '*', cc: '*' }), callOf(args))).toBe(false);
    expect(holds(pattern({ size: '3', copy: '["bo@*"]' }), callOf(args))).toBe(true);
    expect(holds(pattern({ to: 'a?[b]' }), callOf({ to: 'a?[b]' }))).toBe(true);
    expect(holds(pattern({ to: 'a?[b]' }), callOf({ to: 'axb' }))).toBe(false);
    expect(holds(pattern({ toString: '*' }), callOf(args))).toBe(false);
  });

  it('is found among others', () => {
    const grants = [grantOf({ id: 'a', schemaHash: 'x' }), grantOf({ id: 'b' }), grantOf({ id: 'c' })];
    expect(matchGrant(grants, callOf(args), at(1))?.id).toBe('b');
    expect(matchGrant([], callOf(args), at(1))).toBeUndefined();
  });
});

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]): [string, Json] => [key, sorted(member)]);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}
