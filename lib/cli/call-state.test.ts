import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { eventFormat } from '@/lib/runtime/record/event-format';
import { callCallboard } from '@/lib/testing/callboard';
import { lockFile } from './state-lock';

const data = mkdtempSync(path.join(tmpdir(), 'callboard-call-state-'));
afterAll(() => rmSync(data, { recursive: true }));
let place = '';
beforeEach(() => {
  place = mkdtempSync(path.join(data, 'case-'));
});

const call = async (folder: string, state: string, ...args: string[]) => {
  const given = ['call', folder, '--state', state, '--trust', ...args];
  const { code, stdout, stderr } = await callCallboard(given, { CALLBOARD_DATA: data });
  return { code, stderr, reply: stdout === '' ? undefined : JSON.parse(stdout) };
};
const begin = (state: string) => call('examples/asking-analyst', state, '--message', 'How much?');
const goOn = (state: string) => call('examples/asking-analyst', state);

/** A folder whose root has `count` children at once, each with a session and with a call that needs consent. */
function paying(count: number): string {
  const folder = path.join(place, 'folder');
  mkdirSync(path.join(folder, 'agent-cards'), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  write('agent-cards/kid.md', '---\nname: kid\nfunction_tools: ["t.ts:pay"]\n---\nPay.');
  write('agent-cards/lead.md', '---\nname: lead\ndefault: true\nagents: ["kid"]\n---\nLead.');
  write('agent-cards/t.ts', 'export function pay(n: number) { return "PAID " + n; }');
  const calls = Array.from({ length: count }, (_, n) => ({ tool: 'agent__kid', arguments: { text: `n${n}` } }));
  const settings = {
    version: 1,
    enable_sub_agent_hitl: { lead: true },
    delegations: { lead: { kid: { enable_hitl: true, session: 'addressed' } } },
    approvals: { rules: [{ tools: ['pay'], effect: 'ask' }] },
    scripts: {
      lead: [{ turns: [{ calls }, { text: '{{results}}' }] }],
      kid: [{ turns: [{ text: 'I pay.', calls: [{ tool: 'pay', arguments: { n: 1 } }] }, { text: '{{result}}' }] }],
    },
  };
  write('callboard.yaml', JSON.stringify(settings));
  return folder;
}

test('many suspended children with sessions go on together, and each approved call runs once', async () => {
  const folder = paying(8);
  const state = path.join(place, 'run.json');
  expect((await call(folder, state, '--message', 'go')).reply.results).toHaveLength(8);
  const { code, stderr, reply } = await call(folder, state);
  expect([code, stderr, reply?.status]).toEqual([0, '', 'completed']);
  const { log } = JSON.parse(readFileSync(state, 'utf8'));
  const starts = log.filter((event: { kind: string; toolName?: string }) => event.toolName === 'pay');
  expect(starts.filter(({ kind }: { kind: string }) => kind === 'tool.started')).toHaveLength(8);
  expect(log.map(({ seq }: { seq: number }) => seq)).toEqual(log.map((_: unknown, index: number) => index + 1));
  expect(readdirSync(place).sort()).toEqual(['folder', 'run.json']);
});

test('while one call goes on with a run, another one is refused and changes nothing', async () => {
  const state = path.join(place, 'run.json');
  await begin(state);
  const before = readFileSync(state, 'utf8');
  const release = lockFile(state);
  expect(await goOn(state)).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Another call goes on/) });
  expect(readFileSync(state, 'utf8')).toBe(before);
  release();
  expect((await goOn(state)).code).toBe(0);
});

test('the lock of a process that has ended is replaced; that of a living one, or of another machine, is not', async () => {
  const state = path.join(place, 'run.json');
  const lock = `${state}.lock`;
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  for (const dead of [
    { pid: ended, born: 'then', host: hostname() },
    { pid: process.pid, born: 'another start', host: hostname() },
  ]) {
    writeFileSync(lock, JSON.stringify(dead));
    // A process that died while it replaced a lock left that one too.
    writeFileSync(`${lock}.takeover`, JSON.stringify(dead));
    const release = lockFile(state);
    expect(() => lockFile(state)).toThrow(`(process ${process.pid} on ${hostname()})`);
    release();
    expect(readdirSync(place).filter((name) => name.includes('lock'))).toEqual([]);
  }
  for (const unknown of ['', '{}', JSON.stringify({ pid: ended, born: 'then', host: 'elsewhere' })]) {
    writeFileSync(lock, unknown);
    const { code, stderr } = await begin(state);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`If there is none, remove ${lock}.`)]);
    expect(readFileSync(lock, 'utf8')).toBe(unknown);
  }
});

test('a state that cannot be used says why and what to do, and stays as it is', async () => {
  const state = path.join(place, 'run.json');
  await begin(state);
  const whole = readFileSync(state, 'utf8');
  const { log } = JSON.parse(whole);
  const damaged = JSON.stringify({ format: eventFormat, log: [log[0], { ...log[1], path: 7 }] });
  for (const [text, sentence] of [
    ['', `${state} is no state file of 'callboard call'. Name another file,`],
    [whole.slice(0, -20), `${state} is no state file of 'callboard call'. Name another file,`],
    ['[]', `${state} is no state file of 'callboard call'. Name another file,`],
    ['{"format":"6","log":[]}', `${state} is no state file of 'callboard call'. Name another file,`],
    [damaged, `${state} is damaged: event 2 of 2 cannot be read. Put a copy of the file in its place,`],
    [
      JSON.stringify({ format: eventFormat + 1, log }),
      `The events in ${state} were written by a newer Callboard (format ${eventFormat + 1};`,
    ],
  ] as const) {
    writeFileSync(state, text);
    const { code, stderr, reply } = await goOn(state);
    expect([code, reply, stderr]).toEqual([2, undefined, expect.stringContaining(sentence)]);
    expect(stderr).not.toMatch(/E[A-Z]{4,}|Invalid|expected/);
    expect(readFileSync(state, 'utf8')).toBe(text);
  }
  writeFileSync(state, whole);
  expect((await goOn(state)).code).toBe(0);
});

test('a place that cannot be written is refused before anything runs', async () => {
  writeFileSync(path.join(place, 'file'), '');
  mkdirSync(path.join(place, 'folder'));
  for (const [name, sentence] of [
    [
      'gone/run.json',
      `There is no '${place}/gone/run.json': its folder does not exist. Make it first, or check the name.\n`,
    ],
    ['file/run.json', `'${place}/file/run.json' is not in a folder: a part of this path is a file. Check the name.\n`],
    ['folder', `'${place}/folder' is a folder. Name a file.\n`],
  ] as const) {
    expect(await begin(path.join(place, name))).toEqual({ code: 2, stderr: sentence, reply: undefined });
  }
  expect(readdirSync(place).sort()).toEqual(['file', 'folder']);
});
