import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import { readFetchRequest } from './fetch-request';
import { type GitHash, noObject } from './git-object';
import { negotiate } from './negotiate';
import { bandLines, flushLine, joined, pktLine, readPkts, textOfPkt } from './pkt-line';
import { pushAnswer, readPushRequest } from './push-request';
import { advertisement } from './refs';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (given: Uint8Array) => new TextDecoder().decode(given);
const hash = (digit: string) => brandAs<GitHash>(digit.repeat(40));
const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map(hash) as [GitHash, GitHash, GitHash, GitHash, GitHash];
const linesOf = (lines: readonly Uint8Array[]) =>
  lines.map((line) =>
    text(line)
      .slice(4)
      .trim()
      .replaceAll(/(.)\1{39}/g, '$1'),
  );

test('packet lines are read as they were written', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.uint8Array({ minLength: 1, maxLength: 70 }), { nil: 'flush' as const })),
      (lines) => {
        const written = joined(lines.map((line) => (line === 'flush' ? flushLine : pktLine(line))));
        expect(readPkts(written).lines).toEqual(lines);
      },
    ),
  );
});

test('data larger than a line goes over the side band in several lines', () => {
  const all = new Uint8Array(150_000).fill(9);
  const lines = [...bandLines('data', all)];
  expect(lines.map((line) => line.length)).toEqual([65_520, 65_520, 150_000 - 2 * 65_515 + 5]);
  expect(joined(lines.map((line) => line.subarray(5)))).toEqual(all);
});

test('requests that are not of git are refused', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.string().map(bytes), fc.string().map(pktLine)), (body) => {
      for (const read of [readFetchRequest, readPushRequest]) {
        try {
          read(body);
        } catch (error) {
          expect(error).toMatchObject({ name: 'AppError', code: 'bad_request' });
        }
      }
    }),
  );
});

test('the first answer names the refs, the branch to check out, and what the server can do', () => {
  const refs = [
    { name: 'refs/heads/main', hash: b },
    { name: 'refs/heads/draft/x', hash: a },
  ];
  const { lines } = readPkts(advertisement('git-upload-pack', refs));
  const said = lines.map((line) => (line === 'flush' ? line : textOfPkt(line)));
  expect(said.map((line) => line.split('\0')[0])).toEqual([
    '# service=git-upload-pack',
    'flush',
    `${b} HEAD`,
    `${a} refs/heads/draft/x`,
    `${b} refs/heads/main`,
    'flush',
  ]);
  expect(said[2]).toContain('symref=HEAD:refs/heads/main');
  expect(text(advertisement('git-receive-pack', []))).toContain(`${noObject} capabilities^{}\0`);
});

/** a ← b ← c, and d beside them. */
const commits = new Map([
  [a, { parents: [] }],
  [b, { parents: [a] }],
  [c, { parents: [b] }],
  [d, { parents: [] }],
]);
const request = (
  wants: readonly GitHash[],
  abilities: readonly string[],
  rounds: readonly GitHash[][],
  isDone: boolean,
) => ({
  wants,
  abilities: new Set(abilities),
  rounds,
  isDone,
});
const detailed = ['multi_ack_detailed', 'no-done'];

test('the answer to a push cannot control the terminal of who pushed', () => {
  const refused = '"a\u001b[31m\u202e.md" is\n no path';
  const answer = pushAnswer({ abilities: new Set(['report-status']) }, [{ name: 'refs/heads/draft/x', refused }]);
  expect(new TextDecoder().decode(answer)).toContain('ng refs/heads/draft/x "a\\u{1b}[31m\\u{202e}.md" is no path\n');
});

test('a clone begins with nothing and is sent everything', () => {
  const answer = negotiate(request([c], detailed, [[]], true), commits);
  expect([linesOf(answer.lines), answer.common]).toEqual([['NAK'], []]);
});

test('a pull learns what both sides have, and that it need not ask further', () => {
  const answer = negotiate(request([c], detailed, [[e, b]], false), commits);
  expect([linesOf(answer.lines), answer.common]).toEqual([['ACK b common', 'ACK b ready', 'NAK', 'ACK b'], [b]]);
});

test('a client that has none of the commits asks further, and gets everything when it is done', () => {
  expect(linesOf(negotiate(request([c], detailed, [[e]], false), commits).lines)).toEqual(['NAK']);
  expect(negotiate(request([c], detailed, [[e], []], true), commits)).toMatchObject({ common: [] });
});

test('a common commit of one branch does not end the search for another branch', () => {
  const answer = negotiate(request([c, d], detailed, [[b]], false), commits);
  expect([linesOf(answer.lines), answer.common]).toEqual([['ACK b common', 'NAK'], undefined]);
});

test('a client of the first protocol version gets the answer of that version', () => {
  expect(linesOf(negotiate(request([c], [], [[b, a]], false), commits).lines)).toEqual(['ACK b']);
  expect(linesOf(negotiate(request([c], [], [[b], []], true), commits).lines)).toEqual(['ACK b']);
});

test('a shallow clone is refused with a sentence', () => {
  const body = joined([pktLine(`want ${a} x\n`), pktLine('deepen 1\n'), flushLine, pktLine('done\n')]);
  expect(() => readFetchRequest(body)).toThrow('A shallow clone is not supported.');
});

test('a push is read with its pack, and its answer says what became of each branch', () => {
  const body = joined([
    pktLine(`${noObject} ${a} refs/heads/draft/x\0report-status side-band-64k agent=git\n`),
    pktLine(`${b} ${noObject} refs/heads/draft/y\n`),
    flushLine,
    bytes('PACK…'),
  ]);
  const push = readPushRequest(body);
  expect(push).toMatchObject({
    changes: [
      { name: 'refs/heads/draft/x', before: noObject, after: a },
      { name: 'refs/heads/draft/y', before: b, after: noObject },
    ],
    pack: bytes('PACK…'),
  });
  const results = [
    { name: 'refs/heads/draft/x', refused: undefined },
    { name: 'refs/heads/draft/y', refused: 'it has\nchanges' },
  ];
  const { lines } = readPkts(pushAnswer(push, results, { message: 'Look at it.' }));
  expect(lines.map((line) => (line === 'flush' ? line : [line[0], text(line.subarray(1))]))).toEqual([
    [2, 'Look at it.'],
    [1, '000eunpack ok\n001aok refs/heads/draft/x\n0029ng refs/heads/draft/y it has changes\n0000'],
    'flush',
  ]);
});
