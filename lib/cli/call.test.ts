import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callCallboard } from '@/lib/testing/callboard';

const folder = mkdtempSync(path.join(tmpdir(), 'callboard-call-'));
afterAll(() => rmSync(folder, { recursive: true }));

const state = path.join(folder, 'run.json');
const submitted = path.join(folder, 'answers.json');
const call = async (...args: string[]) => {
  const { code, stdout, stderr } = await callCallboard(
    ['call', 'examples/asking-analyst', '--state', state, '--trust', ...args],
    { CALLBOARD_DATA: folder },
  );
  return { code, stderr, reply: stdout === '' ? undefined : JSON.parse(stdout) };
};
const submit = (results: object) => {
  writeFileSync(submitted, JSON.stringify(results));
  return call('--submit', submitted);
};

test('a program answers what an agent asks, with a new process for each call', async () => {
  const first = await call('--message', 'How much did we sell?');
  expect(first).toMatchObject({
    code: 0,
    reply: {
      status: 'suspended',
      results: [
        {
          id: 'coordinator-t1-c1',
          name: 'agent__analyst',
          content: [
            { type: 'text', text: 'Nobody said which quarter.' },
            { name: '__human_input', kind: 'input' },
          ],
          meta: { suspended: true, subagent_generate_reason: 'TOOL_SUSPENDED' },
        },
      ],
    },
  });
  const [result] = first.reply.results;
  const [, question] = result.content;

  // What is refused changes nothing.
  expect(await submit({ nobody: [{ id: question.id, text: 'Q3' }] })).toMatchObject({
    code: 2,
    stderr: "No pending result for tool: nobody. These wait: 'coordinator-t1-c1'.\n",
  });
  expect(await call('--message', 'Again')).toMatchObject({ code: 2 });

  const second = await submit({ [result.id]: [{ id: question.id, text: 'Q3' }] });
  expect(second.reply.results).toMatchObject([
    {
      content: [{ text: 'Order 84 is there twice.' }, { name: 'removeDuplicates', kind: 'approval' }],
      meta: { subagent_generate_reason: 'APPROVAL_NEEDED' },
    },
  ]);
  expect(second.reply.results[0].meta.subagent_session_id).toBe(result.meta.subagent_session_id);

  const before = readFileSync(state);
  expect(await call()).toMatchObject({
    code: 0,
    reply: { status: 'completed', text: 'Q3: 2 orders, 360 €', results: [] },
  });

  // The same run, declined instead.
  writeFileSync(state, before);
  const [, remove] = second.reply.results[0].content;
  const declined = await submit({ [result.id]: [{ id: remove.id, declined: true }] });
  expect(declined.reply).toMatchObject({ status: 'completed', text: expect.stringContaining('Operation cancelled') });
});
