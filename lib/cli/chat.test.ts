import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { callCallboard } from '@/lib/testing/callboard';
import { eventually } from '@/lib/testing/eventually';
import { type FakeOpenAI, type FakeRequest, startFakeOpenAI } from '@/lib/testing/fake-openai';

/** The real command, with messages on its input and a server that answers with what people said. */

const launcher = path.resolve(import.meta.dirname, '../../bin/callboard.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'callboard-chat-'));
const data = path.join(folder, 'data');
const project = path.join(folder, 'project.md');
writeFileSync(project, '---\nname: lead\nmodel: openai.test\nfunction_tools: [tools.ts:send]\n---\nLead.\n');
writeFileSync(
  path.join(folder, 'tools.ts'),
  `/** Sends. */
export function send(to: string): string { return 'sent to ' + to; }
`,
);
writeFileSync(
  path.join(folder, 'callboard.yaml'),
  'version: 1\napprovals: { rules: [{ tools: [send], effect: ask }] }\n',
);
const processes = new Set<ChildProcess>();
let server: FakeOpenAI | undefined;

afterEach(async () => {
  for (const child of processes) child.kill('SIGKILL');
  processes.clear();
  await server?.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function env(): Record<string, string> {
  return { CALLBOARD_DATA: data, OPENAI_API_KEY: 'key', OPENAI_BASE_URL: server?.url ?? 'http://127.0.0.1:9/v1' };
}

function start(...args: readonly string[]) {
  const child = spawn(process.execPath, [launcher, 'chat', folder, ...args], { env: { ...process.env, ...env() } });
  processes.add(child);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const says = (text: string) => eventually(() => expect(stdout + stderr).toContain(text));
  return { child, ended, says, stdout: () => stdout, stderr: () => stderr };
}

const heard = ({ messages }: FakeRequest) =>
  messages.flatMap(({ role, text }) => (role === 'user' ? [text] : [])).join(', ');

test('each line is a message that knows those before, also in a later process, and conversations are listed', async () => {
  server = await startFakeOpenAI({
    respond: (request) =>
      heard(request).endsWith('fail') ? { status: 400, text: 'no' } : { text: `heard ${heard(request)}` },
  });
  const first = start();
  first.child.stdin.end('one\n\nfail\ntwo\n');
  expect(await first.ended).toBe(1);
  expect(first.stdout()).toBe('heard one\nheard one, two\n');
  expect(first.stderr()).toMatch(/Failed: .*\nThe conversation is as it was before this message\./);
  const [, id = ''] = /Conversation (\S+) with lead/.exec(first.stderr()) ?? [];

  const second = start('--conversation', id);
  second.child.stdin.end('three');
  expect([await second.ended, second.stdout()]).toEqual([0, 'heard one, two, three\n']);

  const list = await callCallboard(['chat', folder, '--list'], env());
  expect(list.stdout).toMatch(new RegExp(`^${id} {2}\\S+ {2}lead {2}4 messages {2}one\n$`));
  const unknown = await callCallboard(['chat', folder, '--conversation', 'nope'], env());
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('no conversation nope')]);
  const other = await callCallboard(['chat', folder, '--conversation', id, '--agent', 'critic'], env());
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("is with 'lead'")]);
  expect(await callCallboard(['chat', folder, '--agent', 'ghost'], env())).toMatchObject({ code: 2 });
  expect(await callCallboard(['chat'], env())).toMatchObject({ code: 2 });
});

test('an interrupt stops the answer and keeps the conversation, and a question is answered by the next line', async () => {
  server = await startFakeOpenAI({
    respond: (request) => {
      const last = request.messages.at(-1);
      if (last?.role === 'tool') return { text: last.text };
      if (last?.text === 'send') return { toolCalls: [{ name: 'send', arguments: { to: 'ana' } }] };
      return { text: `heard ${heard(request)}`, ...(last?.text === 'slow' && { delayMs: 60_000 }) };
    },
  });
  const { child, ended, says, stdout } = start('--approve', 'ask');
  child.stdin.write('one\n');
  await says('heard one');
  child.stdin.write('slow\n');
  await eventually(() => expect(server?.requests).toHaveLength(2));
  child.kill('SIGINT');
  await says('Stopped. The conversation is as it was');
  child.stdin.write('two\n');
  await says('heard one, two');
  child.stdin.write('send\n');
  await says('Approve? [y/N');
  child.stdin.end('y\n');
  expect(await ended).toBe(1);
  expect(stdout()).toBe('heard one\nheard one, two\nsent to ana\n');
});
