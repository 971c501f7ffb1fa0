import { expect, it } from 'vitest';
import type { MessageFile } from '@/lib/base/conversation';
import { brandAs, type RunId } from '@/lib/base/ids';
import type { SessionPort } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { graphOf } from '@/lib/testing/graph-of';
import { memorySessions } from '@/lib/testing/memory-sessions';
import { projectOf } from '@/lib/testing/project-of';
import { runGraph, type TestRun, type TestRunInput } from '@/lib/testing/run-graph';
import { scriptedModel, type TestScript } from '@/lib/testing/scripted-model';
import { conversationOwner, type EarlierConversation } from './conversation';

const talk = 'talk';
const key = { id: talk, owner: conversationOwner };

/** Answers with all that people have said. */
const listener: TestScript = ({ messages }) => {
  const said = messages.flatMap((message) => (message.role === 'user' ? [textOf(message.content)] : []));
  return said.at(-1) === 'fail' ? { error: { code: 'model_down', message: 'down' } } : `heard ${said.join(', ')}`;
};

/** One turn of a conversation with `lead`. */
async function turn(
  message: string,
  sessions: SessionPort,
  given: Partial<TestRunInput> & { readonly scripts?: Record<string, TestScript> } = {},
): Promise<TestRun & { readonly answer: string | undefined }> {
  const { scripts, request, ...input } = given;
  const done = await runGraph({
    parsed: graphOf('lead'),
    model: scriptedModel({ lead: listener, ...scripts }),
    sessions,
    request: { runId: brandAs<RunId>(`run-${message}`), message, conversation: talk, ...request },
    ...input,
  });
  return { ...done, answer: done.outcome.answer };
}

it('a conversation goes on in the next run, which says in its log how it began', async () => {
  const sessions = memorySessions();
  expect((await turn('one', sessions)).answer).toBe('heard one');
  const second = await turn('two', sessions);
  expect(second.answer).toBe('heard one, two');
  expect(second.sink.of('session.opened')).toMatchObject([
    { path: 'lead', step: 'lead#c1', mode: 'conversation', sessionId: talk, owner: 'conversation', version: 1 },
  ]);
  expect(second.sink.of('session.opened')[0]?.content?.history).toHaveLength(2);
  expect(second.sink.of('session.saved')).toMatchObject([{ version: 2, kept: 2 }]);
  expect(second.sink.of('instance.started')).toMatchObject([{ historyCount: 2 }]);
  expect(second.log.at(-1)?.kind).toBe('run.finished');
});

it('an answer that a tool gave is part of the conversation, as one that the model wrote', async () => {
  const sessions = memorySessions();
  const passThrough = { cards: { lead: { requestParams: { tool_result_mode: 'passthrough' } } } };
  const asks = { calls: [{ tool: 'agent__kid', args: { message: 'go' } }] };
  const first = await turn('one', sessions, {
    parsed: graphOf('lead > kid', passThrough),
    scripts: { lead: () => asks, kid: () => 'of kid' },
  });
  expect(first.answer).toBe('of kid');
  const kept = (await sessions.read(key))?.history ?? [];
  expect(kept.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  expect(kept.at(-1)).toMatchObject({ content: [{ type: 'text', text: 'of kid' }], toolCalls: [] });
});

it('a conversation is as before after a turn that failed or was stopped', async () => {
  const sessions = memorySessions();
  await turn('one', sessions);
  expect((await turn('fail', sessions)).outcome.status).toBe('failed');
  expect((await turn('stopped', sessions, { signal: AbortSignal.abort() })).outcome.status).toBe('cancelled');
  expect((await sessions.read(key))?.version).toBe(1);
  expect((await turn('two', sessions)).answer).toBe('heard one, two');
});

it('a conversation is saved once, wherever a turn was cut off, and its log alone is enough to go on', async () => {
  const before = memorySessions();
  await turn('one', before);
  const whole = (await turn('two', before)).log;
  for (let length = 1; length <= whole.length; length += 1) {
    const sessions = memorySessions();
    await turn('one', sessions);
    const cut = whole.slice(0, length);
    // The dead worker had stored the turn if the end of its root is in the log.
    const stored = whole.slice(
      0,
      whole.findIndex(({ kind }) => kind === 'session.saved'),
    );
    if (cut.some(({ kind }) => kind === 'instance.ended')) await turn('two', sessions, { log: stored });
    const { outcome, log } = await turn('two', sessions, { log: cut });
    expect(outcome.answer).toBe('heard one, two');
    expect(log.filter(({ kind }) => kind === 'session.saved')).toHaveLength(1);
    const saved = await sessions.read(key);
    expect(saved?.history.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  }
});

it('a conversation keeps state and tool groups, and without history nothing else', async () => {
  const sessions = memorySessions();
  const [first, then]: readonly [TestScript, TestScript] = [
    [{ calls: [{ tool: 'set_state', arguments: { key: 'seen', value: 1 } }] }, 'kept'],
    listener,
  ];
  const given = (script: TestScript) => ({
    parsed: graphOf('lead', { cards: { lead: { useHistory: false } }, settings: { runtime_tools: { state: true } } }),
    scripts: { lead: script },
  });
  await turn('one', sessions, given(first));
  const second = await turn('two', sessions, given(then));
  expect(second.answer).toBe('heard two');
  expect(second.sink.of('instance.started')).toMatchObject([{ state: { seen: 1 } }]);
  expect(await sessions.read(key)).toMatchObject({ history: [], state: { seen: 1 } });
});

it('a conversation of a workflow has its messages and answers, which its steps read', async () => {
  const sessions = memorySessions();
  const parsed = projectOf({ flow: 'type: chain\nsequence: [a, b]\ndefault: true', a: '', b: '' });
  const scripts = {
    a: listener,
    b: ({ messages }) => `b: ${messages.map((message) => (message.role === 'user' ? textOf(message.content) : ''))}`,
  } satisfies Record<string, TestScript>;
  await turn('one', sessions, { parsed, scripts });
  expect((await turn('two', sessions, { parsed, scripts })).answer).toBe('b: heard one, two');
});

it('a conversation carries the sessions of children that are reused', async () => {
  const sessions = memorySessions();
  const given = () => ({
    parsed: graphOf('lead > kid', { settings: { delegations: { lead: { kid: { session: 'reuse' as const } } } } }),
    scripts: {
      lead: ({ messages }) => {
        const last = messages.at(-1);
        return last?.role === 'user'
          ? { calls: [{ tool: 'agent__kid', arguments: { text: textOf(last.content) } }] }
          : textOf(last?.role === 'tool' ? (last.results[0]?.result.content ?? []) : []);
      },
      kid: listener,
    } satisfies Record<string, TestScript>,
  });
  await turn('one', sessions, given());
  expect((await turn('two', sessions, given())).answer).toBe('heard one, two');
});

it('a conversation that cannot be read fails the turn before any model is asked', async () => {
  const broken: SessionPort = { ...memorySessions(), read: () => Promise.reject(new Error('The disk is gone.')) };
  const { outcome, sink } = await turn('one', broken);
  expect(outcome.error).toMatchObject({ code: 'conversation_unreadable' });
  expect(outcome.error?.message).toContain('The disk is gone.');
  expect(sink.of('model.started')).toEqual([]);
});

it('a conversation is what a run made from a turn begins with, and it stays as it was', async () => {
  const sessions = memorySessions();
  await turn('one', sessions);
  const content = await sessions.read(key);
  if (content === undefined) throw new Error('nothing was saved');
  const earlier: EarlierConversation = { ...content, id: talk };
  const again = await turn('two', sessions, { earlier, request: { conversation: undefined } });
  expect(again.answer).toBe('heard one, two');
  expect(again.sink.of('session.saved')).toEqual([]);
  const resumed = await turn('two', sessions, { request: { conversation: undefined }, log: again.log.slice(0, -3) });
  expect(resumed.answer).toBe('heard one, two');
  expect((await sessions.read(key))?.version).toBe(1);
});

it('a conversation has the files of its messages', async () => {
  const sessions = memorySessions();
  const attachments: readonly MessageFile[] = [
    { name: 'note.md', mediaType: 'text/markdown', text: 'hä' },
    { name: 'dot.png', mediaType: 'image/png', data: 'AAEC' },
    { name: 'a.pdf', mediaType: 'application/pdf', data: 'AAE=' },
  ];
  const first = await turn('look', sessions, { request: { attachments } });
  expect(first.sink.of('run.started')[0]?.attachments).toEqual([
    { name: 'note.md', mediaType: 'text/markdown', bytes: 3 },
    { name: 'dot.png', mediaType: 'image/png', bytes: 3 },
    { name: 'a.pdf', mediaType: 'application/pdf', bytes: 2 },
  ]);
  const model = scriptedModel({ lead: listener });
  await turn('and?', sessions, { model });
  expect(model.requests[0]?.messages[0]?.role === 'user' ? model.requests[0].messages[0].content : []).toEqual([
    { type: 'text', text: 'look' },
    { type: 'resource', uri: 'note.md', mimeType: 'text/markdown', text: 'hä' },
    { type: 'image', data: 'AAEC', mimeType: 'image/png' },
    { type: 'resource', uri: 'a.pdf', mimeType: 'application/pdf', blob: 'AAE=' },
  ]);
});
