import { describe, expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { RunEvent } from '@/lib/runtime/record/events';
import { type Message, textOf } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { projectOf } from '@/lib/testing/project-of';
import { resumeEverywhere } from '@/lib/testing/resume-everywhere';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestScript } from '@/lib/testing/scripted-model';

const agents = { a: 'description: Writes poems.', b: '' };
const planner = (more = '') => `type: iterative_planner\ndefault: true\nagents: [a, b]\n${more}`;
const plan = (description: string, ...tasks: readonly string[]) =>
  JSON.stringify({ description, tasks: tasks.map(taskOf), is_complete: false });
const complete = JSON.stringify({ description: 'All is done.', tasks: [], is_complete: true });
/** A task as `agent: what to do`. */
const taskOf = (text: string) => ({ agent: text.split(': ')[0], description: text.split(': ')[1] });
const model = (flow: TestScript, more: Readonly<Record<string, TestScript>> = {}) =>
  scriptedModel({ flow, a: did('a'), b: did('b'), ...more });

function did(name: string): TestScript {
  return ({ messages }) => `${name} did ${taskIn(messages)}`;
}

function taskIn(messages: readonly Message[]): string {
  return /<task>\n(.*)\n<\/task>/s.exec(told(messages).at(-1) ?? '')?.[1] ?? '?';
}

function told(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => (message.role === 'tool' ? 'results' : textOf(message.content)));
}

function decisions(log: readonly RunEvent[]) {
  return log.flatMap((event) => (event.kind === 'workflow.decided' ? [event.decision] : []));
}

const twoSteps = [plan('Collect', 'a: red', 'b: blue'), plan('Join', 'a: both'), complete, 'The answer.'];

describe('a planner', () => {
  it('plans one step at a time, runs its tasks at once, and answers with a summary', async () => {
    const clock = fakeClock();
    const parsed = projectOf({ ...agents, flow: planner() });
    const slow = (name: string) => ({ [name]: { text: `${name} is done`, delayMs: 50 } });
    const asked = scriptedModel({ flow: twoSteps, ...slow('a'), ...slow('b') }, clock);
    const { outcome, sink } = await runGraph({ parsed, model: asked, clock });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'The answer.' });
    const order = sink.events.flatMap((event) => {
      if (event.kind === 'model.started' || event.kind === 'workflow.decided') return [event.step];
      return event.kind === 'instance.ended' ? [`end ${event.path}`] : [];
    });
    expect(order).toEqual([
      ...['flow#m1', 'flow#d1', 'flow/a[1]#m1', 'flow/b[1]#m1', 'end flow/a[1]', 'end flow/b[1]'],
      ...[
        'flow#m2',
        'flow#d2',
        'flow/a[2]#m1',
        'end flow/a[2]',
        'flow#m3',
        'flow#d3',
        'flow#d4',
        'flow#m4',
        'end flow',
      ],
    ]);
    expect(decisions(sink.events)).toEqual([
      {
        what: 'plan',
        iteration: 1,
        description: 'Collect',
        tasks: [taskOf('a: red'), taskOf('b: blue')],
        isComplete: false,
      },
      { what: 'plan', iteration: 2, description: 'Join', tasks: [taskOf('a: both')], isComplete: false },
      { what: 'plan', iteration: 3, description: 'All is done.', tasks: [], isComplete: true },
      { what: 'plan_end', reason: 'complete', steps: 2 },
    ]);
  });

  it('tells the objective and all results so far to its model and to the agents of tasks', async () => {
    const asked = model(twoSteps);
    await runGraph({ parsed: projectOf({ ...agents, flow: planner() }), model: asked });
    const [first, , , second, joining, third, last] = asked.requests.map(({ messages }) => told(messages).join('|'));
    const results = [
      '<step number="1">\n<description>Collect</description>',
      '<task agent="a">\n<description>red</description>\n<result>\na did red\n</result>\n</task>',
      '<task agent="b">\n<description>blue</description>\n<result>\nb did blue\n</result>\n</task>\n</step>',
    ].join('\n');
    expect(first).toMatch(/<objective>\ngo\n<\/objective>\n\nNo step has run so far\./);
    for (const text of [second, joining, third, last]) expect(text).toContain(results);
    expect(joining).toMatch(/<objective>\ngo\n<\/objective>.*<task>\nboth\n<\/task>/s);
    expect(third).toContain('<result>\na did both\n</result>');
    expect(last).toContain('The plan is complete. Answer the objective from the results.');
  });

  it('describes its agents where its instruction asks for them, and lets its model choose no other name', async () => {
    const folder = folderOf({
      'agent-cards/a.md': '---\nname: a\nmodel: test-model\ndescription: Writes poems.\n---\nYou are a.',
      'agent-cards/flow.md':
        '---\ntype: orchestrator\nname: flow\ndefault: true\nmodel: test-model\nagents: [a]\n---\nPlan with\n{{agents}}\nas {{agentName}}.',
    });
    const asked = model([complete, 'Nothing.']);
    await runGraph({ parsed: readFolder(folder), folder, model: asked });
    expect(asked.requests[0]?.instruction).toMatch(
      /^Plan with\n<agents>\n\{"name":"a","description":"Writes poems\."\}\n<\/agents>\nas flow\.\n\nA step has one or more tasks/,
    );
    expect(asked.requests[0]?.responseFormat).toMatchObject({
      name: 'plan',
      schema: { properties: { tasks: { items: { properties: { agent: { enum: ['a'] } } } } } },
    });
    expect(asked.requests[1]?.responseFormat).toBeUndefined();
  });

  it('tells its model of a task that failed, and goes on', async () => {
    const asked = model([plan('Try', 'a: red', 'b: blue'), complete, 'Half of it.'], {
      a: { error: { code: 'model_failed', message: 'Broken.' } },
    });
    const { outcome } = await runGraph({ parsed: projectOf({ ...agents, flow: planner() }), model: asked });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'Half of it.' });
    expect(told(asked.requests[3]?.messages ?? []).join('')).toMatch(
      /<description>red<\/description>\n<result>\nERROR: .*Broken\..*<result>\nb did blue\n/s,
    );
  });

  it.each([
    ['plan_iterations', 'plan_iterations: 2', 'iterative_planner', 2],
    ['5 steps of an orchestrator without it', '', 'orchestrator', 5],
  ])('stops after %s, and says what is not done', async (_, more, type, steps) => {
    const flow: TestScript = ({ responseFormat }) => (responseFormat ? plan('More', 'a: red') : 'Not all.');
    const asked = model(flow);
    const parsed = projectOf({ ...agents, flow: planner(more).replace('iterative_planner', type) });
    const { outcome, sink } = await runGraph({ parsed, model: asked });
    expect(outcome.answer).toBe('Not all.');
    expect(decisions(sink.events).at(-1)).toEqual({ what: 'plan_end', reason: 'iterations', steps });
    const own = asked.requests.filter(({ agentName }) => agentName === 'flow');
    expect(own).toHaveLength(steps + 1);
    expect(told(own[steps - 1]?.messages ?? []).join('')).toContain('At most 1 more step can run.');
    expect(told(own[steps]?.messages ?? []).join('')).toContain(
      `The plan is not complete: it stopped after ${steps} steps, because no more may run.`,
    );
  });

  it.each(['-1', '0'])('with plan_iterations: %s ends at the limit of model calls', async (iterations) => {
    const flow: TestScript = ({ responseFormat }) => (responseFormat ? plan('More', 'a: red') : 'Not all.');
    const parsed = projectOf(
      { ...agents, flow: planner(`plan_iterations: ${iterations}`) },
      'limits: {max_iterations: 8}',
    );
    const asked = model(flow);
    const { outcome, sink } = await runGraph({ parsed, model: asked });
    expect(outcome.answer).toBe('Not all.');
    expect(asked.requests.filter(({ agentName }) => agentName === 'flow')).toHaveLength(8);
    expect(decisions(sink.events).at(-1)).toEqual({ what: 'plan_end', reason: 'iterations', steps: 7 });
    expect(sink.of('log').map(({ code }) => code)).toEqual(['max_iterations']);
    expect(told(asked.requests[0]?.messages ?? []).join('')).not.toContain('At most');
  });

  it.each([
    ['an unknown agent', plan('Sing', 'poet: red', 'a: blue'), "there is no agent 'poet'. The agents are: a, b"],
    ['no tasks', plan('Rest'), "Give it tasks, or set 'is_complete' to true"],
    [
      'tasks of a complete plan',
      plan('End', 'a: red').replace('"is_complete":false', '"is_complete":true'),
      'Set it to false to have them done',
    ],
  ])('plans once more when its model names %s', async (_, wrong, reason) => {
    const asked = model([wrong, plan('Better', 'b: blue'), complete, 'The answer.']);
    const { outcome, sink } = await runGraph({ parsed: projectOf({ ...agents, flow: planner() }), model: asked });
    expect(outcome.answer).toBe('The answer.');
    const repair = told(asked.requests[1]?.messages ?? []);
    expect(repair[1]).toBe(wrong);
    expect(repair[2]).toContain(reason);
    expect(decisions(sink.events)).toMatchObject([{ description: 'Better' }, { isComplete: true }, { steps: 1 }]);
  });

  it.each([
    ['plan_unknown_agent', plan('Sing', 'poet: red'), "there is no agent 'poet'"],
    ['plan_no_tasks', plan('Rest'), 'the step has no tasks'],
    ['answer_invalid', 'words', 'it is not JSON'],
  ])('fails with %s when the second plan is no better', async (code, wrong, reason) => {
    const asked = model([plan('Begin', 'a: red'), wrong, wrong]);
    const { outcome, sink } = await runGraph({ parsed: projectOf({ ...agents, flow: planner() }), model: asked });
    expect(outcome).toMatchObject({ status: 'failed', error: { code, message: expect.stringContaining(reason) } });
    expect(outcome.error?.message).toContain("'flow'");
    expect(asked.unexpected).toEqual([]);
    expect(sink.of('tool.started')).toHaveLength(1);
  });

  it('takes a plan for complete when its model says so twice, although it lists tasks', async () => {
    const ended = plan('End', 'a: red').replace('"is_complete":false', '"is_complete":true');
    const asked = model([ended, ended, 'The answer.']);
    const { outcome, sink } = await runGraph({ parsed: projectOf({ ...agents, flow: planner() }), model: asked });
    expect(outcome.answer).toBe('The answer.');
    expect(sink.of('tool.started')).toEqual([]);
    expect(decisions(sink.events)[0]).toMatchObject({ what: 'plan', tasks: [], isComplete: true });
  });

  it('reads its own earlier plans with use_history: true, and no others', async () => {
    const script = [plan('Collect', 'a: red'), complete, 'The answer.'];
    for (const [more, lengths] of [
      ['', [1, 1, 1]],
      ['use_history: true', [1, 3, 5]],
    ] as const) {
      const asked = model(script);
      const flow = planner(more).replace('iterative_planner', 'orchestrator');
      await runGraph({ parsed: projectOf({ ...agents, flow }), model: asked });
      const own = asked.requests.filter(({ agentName }) => agentName === 'flow');
      expect(own.map(({ messages }) => messages.length)).toEqual(lengths);
      if (more !== '') expect(told(own[2]?.messages ?? [])[1]).toBe(script[0]);
    }
  });

  it('reads the `messages` of its card before the objective', async () => {
    const folder = folderOf({
      'agent-cards/a.md': '---\nname: a\nmodel: test-model\n---\nYou are a.',
      'agent-cards/flow.md':
        '---\ntype: iterative_planner\nname: flow\ndefault: true\nmodel: test-model\nagents: [a]\nmessages: first.txt\n---\n',
      'agent-cards/first.txt': '---USER\nHello\n---ASSISTANT\nHi\n',
    });
    const asked = model([plan('Collect', 'a: red'), complete, 'The answer.']);
    await runGraph({ parsed: readFolder(folder), folder, model: asked });
    expect(asked.requests.map(({ agentName, messages }) => [agentName, told(messages).slice(0, -1)])).toEqual([
      ['flow', ['Hello', 'Hi']],
      ['a', []],
      ['flow', ['Hello', 'Hi']],
      ['flow', ['Hello', 'Hi']],
    ]);
  });

  it('as a tool, asks for its summary with the schema of its answer', async () => {
    const schema = '{type: object, properties: {ok: {type: boolean}}, required: [ok]}';
    const parsed = projectOf(
      { ...agents, lead: 'default: true\nagents: [flow]', flow: 'type: orchestrator\nagents: [a, b]' },
      `delegations: {lead: {flow: {output_schema: ${schema}}}}`,
    );
    const lead = [{ calls: [{ tool: 'agent__flow', arguments: { text: 'x' } }] }, 'done'];
    const asked = model([plan('Collect', 'a: red'), complete, 'words', '{"ok":true}'], { lead });
    const { sink } = await runGraph({ parsed, model: asked });
    expect(asked.requests.map((request) => [request.agentName, request.responseFormat?.name])).toEqual([
      ['lead', undefined],
      ['flow', 'plan'],
      ['a', undefined],
      ['flow', 'plan'],
      ['flow', 'summary'],
      ['flow', 'summary'],
      ['lead', undefined],
    ]);
    const result = sink.of('tool.ended').find(({ path }) => path === 'lead')?.result;
    expect(result?.structuredContent).toEqual({ ok: true });
  });

  it('runs tasks of one agent in parallel, or one after the other in one conversation with session: reuse', async () => {
    for (const [settings, lengths] of [
      ['', [1, 1]],
      ['delegations: {flow: {a: {session: reuse}}}', [1, 3]],
    ] as const) {
      const asked = model([plan('Collect', 'a: red', 'a: blue'), complete, 'The answer.']);
      await runGraph({ parsed: projectOf({ ...agents, flow: planner() }, settings), model: asked });
      const tasks = asked.requests.filter(({ agentName }) => agentName === 'a');
      expect(tasks.map(({ messages }) => [messages.length, taskIn(messages)])).toEqual([
        [lengths[0], 'red'],
        [lengths[1], 'blue'],
      ]);
    }
  });

  it('may have workflows among its agents', async () => {
    const parsed = projectOf({
      ...agents,
      both: 'type: chain\nsequence: [a, b]',
      either: 'type: router\nagents: [a, b]',
      flow: 'type: iterative_planner\ndefault: true\nagents: [both, either]',
    });
    const route = JSON.stringify({ agent: 'b', confidence: 'low', reasoning: null });
    const asked = model([plan('Both', 'both: red', 'either: blue'), complete, 'The answer.'], { either: route });
    const { outcome, sink } = await runGraph({ parsed, model: asked });
    expect(outcome.answer).toBe('The answer.');
    expect(
      sink
        .of('instance.started')
        .map(({ path }) => path)
        .sort(),
    ).toEqual([
      'flow',
      'flow/both[1]',
      'flow/both[1]/a[1]',
      'flow/both[1]/b[1]',
      'flow/either[1]',
      'flow/either[1]/b[1]',
    ]);
  });

  it('hands files to its model and to each task, and keeps the parameters of its own calls to itself', async () => {
    const folder = folderOf({ 'notes.txt': 'Notes.' });
    const parsed = projectOf(
      {
        ...agents,
        lead: 'default: true\nagents: [flow]',
        flow: 'type: orchestrator\nagents: [a, b]\nrequest_params: {max_tokens: 17}',
      },
      'delegations: {lead: {flow: {attachments: {max: 1}}}}',
    );
    const call = { tool: 'agent__flow', arguments: { text: 'read', attachments: ['notes.txt'] } };
    const asked = model([plan('Read', 'a: red', 'b: blue'), complete, 'All.'], { lead: [{ calls: [call] }, 'done'] });
    await runGraph({ parsed, folder, model: asked });
    const seen = asked.requests.map(({ agentName, messages, requestParams }) => [
      agentName,
      JSON.stringify(messages.at(-1)).includes('notes.txt'),
      requestParams,
    ]);
    expect(seen.slice(1, -1)).toEqual([
      ['flow', true, { max_tokens: 17 }],
      ['a', true, {}],
      ['b', true, {}],
      ['flow', true, { max_tokens: 17 }],
      ['flow', true, { max_tokens: 17 }],
    ]);
  });

  it('tells its model that an agent is too deep', async () => {
    const parsed = projectOf(
      {
        ...agents,
        outer: 'type: chain\ndefault: true\nsequence: [flow]',
        flow: 'type: iterative_planner\nagents: [a]',
      },
      'limits: {max_depth: 1}',
    );
    const asked = model([plan('Collect', 'a: red'), complete, 'Nothing.']);
    const { outcome } = await runGraph({ parsed, model: asked });
    expect(outcome.answer).toBe('Nothing.');
    expect(told(asked.requests[1]?.messages ?? []).join('')).toMatch(/<result>\nERROR: .*depth 2/);
  });

  it('that is stopped during a task asks its model no more, and ends no plan', async () => {
    const stop = new AbortController();
    const asked = model(twoSteps, {
      b: () => {
        stop.abort();
        return 'late';
      },
    });
    const parsed = projectOf({ ...agents, flow: planner('plan_iterations: 1') });
    const { outcome, sink, log } = await runGraph({ parsed, model: asked, signal: stop.signal });
    expect(outcome.status).toBe('cancelled');
    expect(decisions(sink.events).map(({ what }) => what)).toEqual(['plan']);
    expect(asked.requests.filter(({ agentName }) => agentName === 'flow')).toHaveLength(1);
    for (let length = 1; length < log.length; length += 1) {
      const cut = log.slice(0, length);
      if (!cut.some((event) => event.kind === 'log' && event.code === 'run_cancelled')) continue;
      const again = await runGraph({ parsed, model: model(twoSteps), log: cut });
      // A call that was stopped is counted if its end is in the log.
      expect({ ...again.outcome, usage: outcome.usage }).toEqual(outcome);
      expect(decisions(again.log).map(({ what }) => what)).toEqual(['plan']);
    }
  });

  it('goes on wherever it was cut, with the same plan and answer, and repeats no step that had ended', async () => {
    const parsed = projectOf({ ...agents, c: '', flow: planner().replace('[a, b]', '[a, b, c]') });
    const script = [
      plan('Collect', 'a: red', 'b: blue'),
      plan('Rest'),
      plan('Join', 'c: both'),
      complete,
      'The answer.',
    ];
    const { whole, resumed } = await resumeEverywhere(parsed, () =>
      model(script, { b: { error: { code: 'model_failed', message: 'Broken.' } }, c: did('c') }),
    );
    expect(whole.outcome).toMatchObject({ status: 'completed', answer: 'The answer.' });
    for (const { outcome, repeated, log } of resumed) {
      expect(outcome).toEqual(whole.outcome);
      expect(repeated).toEqual([]);
      expect(decisions(log)).toEqual(decisions(whole.log));
    }
  });
});
