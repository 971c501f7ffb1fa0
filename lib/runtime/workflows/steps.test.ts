import { describe, expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { type Message, textOf } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { fakeHooks } from '@/lib/testing/fake-hooks';
import { hookEntries } from '@/lib/testing/hook-entries';
import { projectOf } from '@/lib/testing/project-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const flow = 'type: chain\nsequence: [a, b]';
const said = (messages: readonly Message[]) =>
  messages.map((message) => ('content' in message ? textOf(message.content) : '')).join('|');
const echo =
  (name: string) =>
  ({ messages }: { readonly messages: readonly Message[] }) =>
    `${name}(${said(messages)})`;
const callFlow = (text: string) => ({ calls: [{ tool: 'agent__flow', arguments: { text } }] });

describe('a workflow among other agents', () => {
  it('is a worker like every agent', async () => {
    const parsed = projectOf(
      { a: '', b: '', flow, lead: 'default: true' },
      'toolsets: {lead: {delegation: {allow_workers: [flow]}}}',
    );
    const call = { tool: 'worker_call', arguments: { worker: 'flow', input_data: 'x' } };
    const model = scriptedModel({ lead: [{ calls: [call] }, 'end'], a: echo('a'), b: echo('b') });
    const { outcome, sink } = await runGraph({ parsed, model });
    expect(outcome.answer).toBe('end');
    const result = sink.of('tool.ended').find(({ path }) => path === 'lead')?.result;
    expect(result && textOf(result.content)).toBe('b(a(x))');
  });

  it('in a tool group is offered when the group is active', async () => {
    const parsed = projectOf(
      { a: '', b: '', flow, lead: 'default: true\nagents: [flow]' },
      'tool_groups: {lead: {activation: true, groups: {work: {active: false, agents: [flow]}}}}',
    );
    const activate = { calls: [{ tool: 'activate_tool_groups', arguments: { to_activate: ['work'] } }] };
    const model = scriptedModel({ lead: [activate, callFlow('x'), 'end'], a: echo('a'), b: echo('b') });
    const { outcome } = await runGraph({ parsed, model });
    const offered = model.requests.flatMap(({ agentName, tools }) =>
      agentName === 'lead' ? [tools.some(({ name }) => name === 'agent__flow')] : [],
    );
    expect([outcome.status, offered]).toEqual(['completed', [false, true, true]]);
  });

  it('with session: reuse goes on with its conversation, and so does a step', async () => {
    const lead = [callFlow('one'), callFlow('two'), 'end'];
    const cards = { a: '', b: '', flow, lead: 'default: true\nagents: [flow]' };
    const answers = async (settings: string) => {
      const model = scriptedModel({ lead, a: echo('a'), b: echo('b') });
      await runGraph({ parsed: projectOf(cards, settings), model });
      return model.requests.flatMap(({ agentName, messages }) => (agentName === 'a' ? [said(messages)] : []));
    };
    expect(await answers('')).toEqual(['one', 'two']);
    expect(await answers('delegations: {lead: {flow: {session: reuse}}}')).toEqual(['one', 'one|b(a(one))|two']);
  });

  it('hands its state to its steps, and gets what they write', async () => {
    const parsed = projectOf({ a: '', b: '', flow: `default: true\n${flow}` }, 'runtime_tools: {state: true}');
    const write = { calls: [{ tool: 'set_state', arguments: { key: 'seen', value: 1 } }] };
    const read = { calls: [{ tool: 'get_state', arguments: { key: 'seen' } }] };
    const model = scriptedModel({ a: [write, 'written'], b: [read, 'read'] });
    const { sink } = await runGraph({ parsed, model });
    const result = sink.of('tool.ended').find(({ path }) => path === 'flow/b[1]')?.result;
    expect(result && textOf(result.content)).toContain('1');
  });
});

describe('a step', () => {
  it('is wrapped by hooks of its workflow and of the run, which may change its text', async () => {
    const project = projectOf({ a: '', b: '', flow: `default: true\n${flow}` });
    const settings = { ...project.settings, agent_hooks: { flow: hookEntries(['hooks.py:louder']) } };
    const parsed = { ...project, settings };
    const hooks = fakeHooks({
      louder: { around: (_, args, next) => next({ ...args, text: `${String(args.text)}!` }) },
    });
    const model = scriptedModel({ a: echo('a'), b: echo('b') });
    const { outcome, sink } = await runGraph({ parsed, model, hooks });
    expect(outcome.answer).toBe('b(a(go!)!)');
    expect(sink.of('hook.ended').map(({ path }) => path)).toEqual(['flow', 'flow']);
  });

  it('has the time limit, the attempts and the cache of its delegation', async () => {
    const options = '{a: {timeout_ms: 50, max_attempts: 2}, b: {cache: true}}';
    const clock = fakeClock();
    const cards = { a: '', b: '', flow: 'type: chain\ndefault: true\nsequence: [a, b, b]' };
    const slowOnce = ({ instanceName }: { readonly instanceName: string }) =>
      instanceName === 'a[1]' ? { text: 'late', delayMs: 500 } : 'same';
    const model = scriptedModel({ a: slowOnce, b: 'same' }, clock);
    const parsed = projectOf(cards, `delegations: {flow: ${options}}`);
    const { outcome, sink } = await runGraph({ parsed, model, clock });
    expect(outcome.answer).toBe('same');
    expect(sink.of('instance.ended').map(({ path, status, cached }) => [path, status, cached])).toEqual([
      ['flow/a[1]', 'timeout', undefined],
      ['flow/a[1.2]', 'completed', undefined],
      ['flow/b[1]', 'completed', undefined],
      ['flow/b[2]', 'completed', true],
      ['flow', 'completed', undefined],
    ]);
  });

  it('does not read the request of its workflow twice, whatever its delegation says of the history', async () => {
    const settings = 'delegation_defaults: {history: full}\ndelegations:\n  flow: {b: {history: {last: 1}}}';
    const parsed = projectOf({ a: '', b: '', flow: `${flow}\ndefault: true` }, settings);
    const first = await runGraph({ parsed, model: scriptedModel({ a: echo('a'), b: echo('b') }) });
    expect(first.outcome.answer).toBe('b(a(go))');

    const below = projectOf(
      { a: '', b: '', flow, lead: 'default: true\nagents: [flow]' },
      `${settings}\n  lead: {flow: {session: reuse, history: none}}`,
    );
    const lead = [callFlow('one'), callFlow('two'), 'end'];
    const model = scriptedModel({ lead, a: echo('a'), b: echo('b') });
    const again = await runGraph({ parsed: below, model });
    const answers = again.sink
      .of('tool.ended')
      .flatMap(({ path, result }) => (path === 'lead' ? textOf(result.content) : []));
    expect(answers).toEqual(['b(a(one))', 'b(b(a(one))|a(one|b(a(one))|two))']);
  });

  it('beyond the depth limit is refused, and the workflow says so', async () => {
    const deep = { a: '', inner: 'type: chain\nsequence: [a]', outer: 'type: chain\nsequence: [inner]' };
    const parsed = projectOf(
      { ...deep, lead: 'default: true\nagents: [outer]' },
      'delegations: {lead: {outer: {max_depth: 2}}}',
    );
    const lead = [{ calls: [{ tool: 'agent__outer', arguments: { text: 'x' } }] }, 'end'];
    const { sink } = await runGraph({ parsed, model: scriptedModel({ lead, a: 'never' }) });
    const result = sink.of('tool.ended').find(({ path }) => path === 'lead')?.result;
    expect(result && textOf(result.content)).toMatch(/step 'a' failed: .*depth 3; the limit is 2/);
  });

  it('first in its workflow gets the files of the call', async () => {
    const parsed = projectOf(
      { a: '', b: '', flow, lead: 'default: true\nagents: [flow]' },
      'delegations: {lead: {flow: {attachments: {max: 1}}}}',
    );
    const call = { tool: 'agent__flow', arguments: { text: 'look', attachments: ['notes.txt'] } };
    const model = scriptedModel({ lead: [{ calls: [call] }, 'end'], a: 'seen', b: 'end' });
    await runGraph({ parsed, folder: folderOf({ 'notes.txt': 'a note' }), model });
    const kinds = model.requests.flatMap(({ agentName, messages: [first] }) =>
      first?.role === 'user' && agentName !== 'lead' ? [[agentName, first.content.map(({ type }) => type)]] : [],
    );
    expect(kinds).toEqual([
      ['a', ['text', 'resource']],
      ['b', ['text']],
    ]);
  });

  it('that runs when the run is stopped is closed, and none starts after it', async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const model = scriptedModel({ a: { text: 'late', delayMs: 1_000 }, b: 'never' }, clock);
    const running = runGraph({
      parsed: projectOf({ a: '', b: '', flow: `default: true\n${flow}` }),
      model,
      clock,
      signal: controller.signal,
      onSink: (sink) => {
        const { append } = sink;
        sink.append = (event) => {
          append.call(sink, event);
          if (event.kind === 'model.started') controller.abort();
        };
      },
    });
    const { outcome, sink } = await running;
    expect(outcome.status).toBe('cancelled');
    expect(sink.of('instance.ended').map(({ path, status }) => [path, status])).toEqual([
      ['flow/a[1]', 'cancelled'],
      ['flow', 'cancelled'],
    ]);
  });

  it('has the model that its workflow’s caller has, when nothing else names one', async () => {
    const parsed = projectOf({ a: '', b: '', flow, lead: 'default: true\nagents: [flow]\nmodel: big' });
    const config = { ...parsed.config, defaultModel: undefined };
    const model = scriptedModel({ lead: [callFlow('x'), 'end'], a: 'a', b: 'b' });
    await runGraph({ parsed: { ...parsed, config }, model });
    expect(model.requests.map(({ agentName, model: name }) => [agentName, name])).toEqual([
      ['lead', 'big'],
      ['a', 'big'],
      ['b', 'big'],
      ['lead', 'big'],
    ]);
  });
});
