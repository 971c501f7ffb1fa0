import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { callCallboard } from '@/lib/testing/callboard';

const data = mkdtempSync(path.join(tmpdir(), 'callboard-call-submit-'));
afterAll(() => rmSync(data, { recursive: true }));
let place = '';
beforeEach(() => {
  place = mkdtempSync(path.join(data, 'case-'));
});

/** A root agent that makes one call that asks, and says what it read. */
function rootFolder(call: object, settings: object): string {
  const folder = path.join(place, 'folder');
  mkdirSync(path.join(folder, 'agent-cards'), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  write(
    'agent-cards/lead.md',
    '---\nname: lead\ndefault: true\nhuman_input: true\nfunction_tools: ["t.ts:pay"]\nagents: ["kid"]\n---\nLead.',
  );
  write('agent-cards/kid.md', '---\nname: kid\n---\nKid.');
  write('agent-cards/t.ts', 'export function pay(n: number) { return "PAID " + n; }');
  write('a.txt', 'A');
  const scripts = {
    lead: [{ turns: [{ calls: [call] }, { text: '{{result}}' }] }],
    kid: [{ turns: [{ text: 'kid read it' }] }],
  };
  write('callboard.yaml', JSON.stringify({ version: 1, scripts, ...settings }));
  return folder;
}

async function callWith(folder: string, ...args: string[]) {
  const given = ['call', folder, '--state', path.join(place, 'run.json'), '--trust', ...args];
  const { code, stdout, stderr } = await callCallboard(given, { CALLBOARD_DATA: data });
  return { code, stderr, reply: stdout === '' ? undefined : JSON.parse(stdout) };
}
async function submit(folder: string, text: string) {
  const file = path.join(place, 'answers.json');
  writeFileSync(file, text);
  const { code, stderr, reply } = await callWith(folder, '--submit', file);
  return { code, reply, stderr: stderr.replaceAll(file, 'FILE') };
}

const question = { tool: '__human_input', arguments: { message: 'Which quarter?' } };
const pay = { tool: 'pay', arguments: { n: 1 } };
const file = { tool: 'agent__kid', arguments: { text: 'read', attachments: ['a.txt'] } };
const askPay = { approvals: { rules: [{ tools: ['pay'], effect: 'ask' }] } };
const askFile = { approvals: { attachments: 'ask' }, delegations: { lead: { kid: { attachments: { max: 4 } } } } };

describe('what the root agent asks is decided by the id that the reply lists', () => {
  test.each([
    ['a question', question, {}, { text: 'Q3' }, 'Q3'],
    ['a question, declined', question, {}, { declined: true, text: 'Not now.' }, 'did not answer. Reason: Not now.'],
    ['a call, approved', pay, askPay, { approved: true }, 'PAID 1'],
    ['a call, declined', pay, askPay, { declined: true }, 'denied by a person, so nothing ran'],
    ['a call, with other arguments', pay, askPay, { arguments: { n: 7 } }, 'PAID 7'],
    ['a file, approved', file, askFile, { approved: true }, 'kid read it'],
    ['a file, declined', file, askFile, { declined: true }, "file 'a.txt' was denied by a person"],
  ])('%s, with and without the switch for children', async (_, call, settings, decision, says) => {
    for (const hitl of [{}, { enable_sub_agent_hitl: { lead: true } }]) {
      const folder = rootFolder(call, { ...settings, ...hitl });
      rmSync(path.join(place, 'run.json'), { force: true });
      const [result] = (await callWith(folder, '--message', 'go')).reply.results;
      const [inner] = result.content.filter(({ type }: { type: string }) => type === 'tool_use');
      const done = await submit(folder, JSON.stringify({ [result.id]: [{ id: inner.id, ...decision }] }));
      expect(done).toMatchObject({ code: 0, stderr: '', reply: { status: 'completed' } });
      expect(done.reply.text).toContain(says);
    }
  });
});

test('a file of results that cannot be used says why, and changes nothing', async () => {
  const folder = rootFolder(pay, askPay);
  const [result] = (await callWith(folder, '--message', 'go')).reply.results;
  const state = readFileSync(path.join(place, 'run.json'), 'utf8');
  const one = (more: object) => JSON.stringify({ [result.id]: [{ id: result.items[0], ...more }] });
  for (const [text, sentence] of [
    ['', "'FILE' is not JSON, or has a number that is too large."],
    ['{"a": 1e999}', "'FILE' is not JSON, or has a number that is too large."],
    ['[]', 'FILE: results are one JSON object,'],
    ['{"a": []}', "FILE: 'a' has no list of results."],
    ['{"a": {}}', "FILE: 'a' has no list of results."],
    ['{"a": [null]}', "FILE: a result of 'a' has no 'id'. Copy the 'id' of the pending call from the reply."],
    ['{"a": [{"id": 1}]}', "FILE: a result of 'a' has no 'id'."],
    ['{"a": [{"id": "b"}]}', "'b', says nothing. It takes one of 'text', 'declined', 'approved', 'arguments'."],
    ['{"a": [{"id": "b", "text": 1}]}', "'b', has a 'text' that is no text."],
    ['{"a": [{"id": "b", "declined": "yes"}]}', "'b', has a 'declined' that is not true. Leave it out."],
    ['{"a": [{"id": "b", "declined": true, "approved": true}]}', "'b', says two things."],
    ['{"a": [{"id": "b", "text": "x", "approved": true}]}', "'b', says two things."],
    ['{"a": [{"id": "b", "arguments": []}]}', "'b', has 'arguments' that are no object."],
    ['{"a": [{"id": "b", "answer": "x"}]}', "'b', has 'answer', which is not read."],
    ['{"a": [{"id": "b", "text": "x"}]}', `No pending result for tool: a. These wait: '${result.id}'.`],
    [JSON.stringify({ [result.id]: [{ id: 'b', approved: true }] }), `'b' is no pending call of '${result.id}'.`],
    [one({ arguments: { n: 'seven' } }), `cannot be used. It does not fit: 'n' must be number.`],
  ] as const) {
    const { code, stderr, reply } = await submit(folder, text);
    expect([code, reply, stderr]).toEqual([2, undefined, expect.stringContaining(sentence)]);
    expect(readFileSync(path.join(place, 'run.json'), 'utf8')).toBe(state);
  }
  const gone = path.join(place, 'gone.json');
  expect(await callWith(folder, '--submit', gone)).toMatchObject({
    code: 2,
    stderr: `There is no file or folder '${gone}'. Check the name.\n`,
  });
  expect(await callWith(folder, '--submit', place)).toMatchObject({
    code: 2,
    stderr: `'${place}' is a folder. Name a file.\n`,
  });
  expect((await submit(folder, one({ approved: true }))).reply).toMatchObject({ status: 'completed', text: 'PAID 1' });
});
