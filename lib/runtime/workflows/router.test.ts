import { describe, expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { RunEvent } from '@/lib/runtime/record/events';
import { type Message, textOf } from '@/lib/runtime/record/messages';
import { fakeTools } from '@/lib/testing/fake-tools';
import { projectOf } from '@/lib/testing/project-of';
import { resumeEverywhere } from '@/lib/testing/resume-everywhere';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestScript } from '@/lib/testing/scripted-model';

const agents = { a: 'description: Writes poems.', b: '' };
const router = (more = '') => `type: router\ndefault: true\nagents: [a, b]\n${more}`;
const choose = (agent: string | null, more = {}) =>
  JSON.stringify({ agent, confidence: 'high', reasoning: 'It fits.', ...more });
const model = (flow: TestScript, more: Readonly<Record<string, TestScript>> = {}) =>
  scriptedModel({ flow, a: saidTo('a'), b: saidTo('b'), ...more });

function saidTo(name: string): TestScript {
  return ({ messages }) => `${name}(${told(messages).join('|')})`;
}

function told(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => (message.role === 'tool' ? 'results' : textOf(message.content)));
}

function decisions(log: readonly RunEvent[]) {
  return log.flatMap((event) => (event.kind === 'workflow.decided' ? [event.decision] : []));
}

describe('a router', () => {
  it('gives the request to the agent that its model chooses, and answers what that agent answers', async () => {
    const asked = model(choose('b', { confidence: 'medium', reasoning: 'It is free.' }));
    const { outcome, sink } = await runGraph({ parsed: projectOf({ ...agents, flow: router() }), model: asked });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'b(go)' });
    expect(sink.events.map((event) => ('step' in event ? `${event.kind} ${event.step}` : event.kind))).toEqual([
      'run.started',
      'instance.queued',
      'instance.started',
      'model.started flow#m1',
      'model.ended flow#m1',
      'workflow.decided flow#d1',
      'tool.started flow#t1',
      'instance.queued',
      'instance.started',
      'model.started flow/b[1]#m1',
      'model.ended flow/b[1]#m1',
      'instance.ended',
      'tool.ended flow#t1',
      'instance.ended',
      'run.finished',
    ]);
    expect(decisions(sink.events)).toEqual([
      { what: 'route', agent: 'b', confidence: 'medium', reasoning: 'It is free.', candidates: ['a', 'b'] },
    ]);
  });

  it('tells its model the agents with their descriptions and tools, and lets it choose no other name', async () => {
    const asked = model(choose('a'));
    const parsed = projectOf(
      { ...agents, both: 'type: parallel\nfan_out: [a, b]', flow: router().replace('[a, b]', '[a, b, both]') },
      'delegations: {flow: {b: {description: Counts sheep.}}}',
    );
    await runGraph({ parsed, model: asked, tools: { mcp: fakeTools({ time__now: () => '12' }) } });
    const [request] = asked.requests;
    const lines = request?.instruction.split('\n').filter((line) => line.startsWith('{"name"'));
    const tools = [{ name: 'time__now', does: 'The tool time__now.' }];
    expect(lines?.map((line) => JSON.parse(line))).toEqual([
      { name: 'a', description: 'Writes poems.', tools },
      { name: 'b', description: 'Counts sheep.', tools },
      { name: 'both', description: 'You are both.', calls: ['a', 'b'] },
    ]);
    expect(request?.tools).toEqual([]);
    expect(request?.responseFormat).toMatchObject({
      name: 'route',
      schema: { properties: { agent: { enum: ['a', 'b', 'both', null] } }, additionalProperties: false },
    });
  });

  it('puts the agents where its instruction asks for them, with placeholders filled in, and reads `messages` before', async () => {
    const card =
      '---\ntype: router\ndefault: true\nagents: [a, b]\nmessages: examples.md\n---\n{{agentName}} chooses from\n{context}\nQuickly, as {{"x": 1}}.';
    const folder = folderOf({
      'agent-cards/a.md': '---\nname: a\nmodel: test-model\n---\nYou are a.',
      'agent-cards/b.md': '---\nname: b\nmodel: test-model\n---\nYou are b.',
      'agent-cards/flow.md': card.replace('type: router', 'type: router\nmodel: test-model'),
      'agent-cards/examples.md': `---USER\nSing\n---ASSISTANT\n${choose('a')}\n`,
    });
    const parsed = readFolder(folder);
    expect(parsed.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    const asked = model(choose('b'));
    const { outcome } = await runGraph({ parsed, folder, model: asked });
    expect(asked.requests[0]?.instruction).toMatch(
      /^flow chooses from\n<agents>\n\{"name":"a",.*\n\{"name":"b",.*\n<\/agents>\nQuickly, as \{"x": 1\}\.\n\nChoose exactly one agent/,
    );
    expect(told(asked.requests[0]?.messages ?? [])).toEqual(['Sing', choose('a'), 'go']);
    expect(outcome.answer).toBe('b(go)');
  });

  it('with one agent asks no model', async () => {
    const asked = model('never');
    const parsed = projectOf({ a: '', flow: 'type: router\ndefault: true\nagents: [a]' });
    const { outcome, sink } = await runGraph({ parsed, model: asked });
    expect(outcome.answer).toBe('a(go)');
    expect(asked.requests.map(({ agentName }) => agentName)).toEqual(['a']);
    expect(decisions(sink.events)).toMatchObject([
      { what: 'route', agent: 'a', confidence: 'high', candidates: ['a'] },
    ]);
  });

  it('tells its model the names when it chooses an unknown agent, and takes the second choice', async () => {
    const asked = model([choose('poet'), choose(' a ')]);
    const { outcome } = await runGraph({ parsed: projectOf({ ...agents, flow: router() }), model: asked });
    expect(outcome.answer).toBe('a(go)');
    expect(told(asked.requests[1]?.messages ?? [])).toEqual([
      'go',
      choose('poet'),
      "The answer was not accepted: there is no agent 'poet'. The agents are: a, b. Send the whole answer again as JSON that fits the schema, and nothing else.",
    ]);
  });

  it.each([
    ['router_unknown_agent', [choose('poet'), choose('bard')], "has no agent 'bard', which its model chose twice"],
    ['router_no_choice', [choose(null, { reasoning: 'Nobody sings.' })], "Its model's reason: Nobody sings."],
    ['router_no_choice', [choose('', { reasoning: null })], 'Its model gave no reason.'],
    ['router_no_choice', [choose('None')], "Router 'flow' found no agent for the request."],
    ['answer_invalid', ['words', '{"agent":"a"}'], "must have required property 'confidence'"],
  ])('ends with %s and calls nobody: %j', async (code, flow, words) => {
    const asked = model(flow);
    const { outcome, sink } = await runGraph({ parsed: projectOf({ ...agents, flow: router() }), model: asked });
    expect(outcome).toMatchObject({ status: 'failed', error: { code, message: expect.stringContaining(words) } });
    expect(asked.unexpected).toEqual([]);
    expect(sink.of('tool.started')).toEqual([]);
    expect(decisions(sink.events)).toEqual([]);
  });

  it('fails with the reason when the chosen agent fails', async () => {
    const asked = model(choose('a'), { a: { error: { code: 'model_failed', message: 'Broken.' } } });
    const { outcome } = await runGraph({ parsed: projectOf({ ...agents, flow: router() }), model: asked });
    expect(outcome.error?.code).toBe('step_failed');
    expect(outcome.error?.message).toMatch(/'flow' ended because its step 'a' failed: .*Broken\./);
  });

  it.each([
    [
      'reads the conversation of its session with use_history: true',
      'use_history: true',
      'session: reuse',
      'one|a(one)|two',
    ],
    ['keeps none with use_history: false', '', 'session: reuse', 'two'],
    ['hands the history of its delegation on without reading it', '', 'history: full', 'two'],
  ])('%s', async (_, more, option, read) => {
    const lead = [
      { calls: [{ tool: 'agent__flow', arguments: { text: 'one' } }] },
      { calls: [{ tool: 'agent__flow', arguments: { text: 'two' } }] },
      'done',
    ];
    const parsed = projectOf(
      { ...agents, lead: 'default: true\nagents: [flow]', flow: `type: router\nagents: [a, b]\n${more}` },
      `delegations: {lead: {flow: {${option}}}}`,
    );
    const asked = model(() => choose('a'), { lead });
    await runGraph({ parsed, model: asked });
    const last = (agent: string) => asked.requests.findLast(({ agentName }) => agentName === agent)?.messages ?? [];
    expect(told(last('flow')).join('|')).toBe(read);
    expect(told(last('a')).join('|')).toBe(option === 'session: reuse' ? read : 'go||results|two');
  });

  it('as a tool, hands the schema of its answer to the agent that it chooses', async () => {
    const schema = '{type: object, properties: {ok: {type: boolean}}, required: [ok]}';
    const parsed = projectOf(
      { ...agents, lead: 'default: true\nagents: [flow]', flow: 'type: router\nagents: [a, b]' },
      `delegations: {lead: {flow: {output_schema: ${schema}}}}`,
    );
    const lead = [{ calls: [{ tool: 'agent__flow', arguments: { text: 'x' } }] }, 'done'];
    const asked = model(choose('b'), { lead, b: '{"ok": true}' });
    const { sink } = await runGraph({ parsed, model: asked });
    expect(asked.requests.map((request) => [request.agentName, request.responseFormat?.name])).toEqual([
      ['lead', undefined],
      ['flow', 'route'],
      ['b', 'b'],
      ['lead', undefined],
    ]);
    const result = sink.of('tool.ended').find(({ path }) => path === 'lead')?.result;
    expect(result?.structuredContent).toEqual({ ok: true });
  });

  it('may be a step of a chain and have a parallel among its agents', async () => {
    const parsed = projectOf({
      ...agents,
      c: '',
      both: 'type: parallel\nfan_out: [a, b]\ninclude_request: false',
      flow: 'type: router\nagents: [a, both]',
      outer: 'type: chain\ndefault: true\nsequence: [flow, c]\ncumulative: true',
    });
    const { outcome } = await runGraph({ parsed, model: model(choose('both'), { c: saidTo('c') }) });
    expect(outcome.answer).toMatch(/^<fastagent:request>go<\/fastagent:request>/);
    expect(outcome.answer).toContain('<fastagent:response agent="b">\nb(go)');
    expect(outcome.answer).toContain("<fastagent:response agent='c'>c(go|<fastagent:response agent=");
  });

  it('hands files on, and keeps the parameters of its own call to itself', async () => {
    const folder = folderOf({ 'notes.txt': 'Notes.' });
    const parsed = projectOf(
      {
        ...agents,
        lead: 'default: true\nagents: [flow]',
        flow: 'type: router\nagents: [a, b]\nrequest_params: {max_tokens: 17}',
      },
      'delegations: {lead: {flow: {attachments: {max: 1}}}}',
    );
    const call = { tool: 'agent__flow', arguments: { text: 'read', attachments: ['notes.txt'] } };
    const asked = model(choose('a'), { lead: [{ calls: [call] }, 'done'] });
    await runGraph({ parsed, folder, model: asked });
    const [, flow, a] = asked.requests;
    expect(flow?.messages.at(-1)).toEqual(a?.messages.at(-1));
    expect(JSON.stringify(a?.messages)).toContain('notes.txt');
    expect([flow?.requestParams, a?.requestParams]).toEqual([{ max_tokens: 17 }, {}]);
  });

  it('tells that its agent is too deep', async () => {
    const parsed = projectOf(
      { ...agents, outer: 'type: chain\ndefault: true\nsequence: [flow]', flow: 'type: router\nagents: [a, b]' },
      'limits: {max_depth: 1}',
    );
    const { outcome, sink } = await runGraph({ parsed, model: model(choose('a')) });
    expect(outcome.error?.message).toMatch(/'flow' failed: .*its step 'a' failed: .*depth 2/);
    expect(sink.of('instance.started').map(({ path }) => path)).toEqual(['outer', 'outer/flow[1]']);
  });

  it('that is stopped while its model chooses calls nobody', async () => {
    const stop = new AbortController();
    const asked = model(() => {
      stop.abort();
      return choose('a');
    });
    const parsed = projectOf({ ...agents, flow: router() });
    const { outcome, sink } = await runGraph({ parsed, model: asked, signal: stop.signal });
    expect(outcome.status).toBe('cancelled');
    expect(decisions(sink.events)).toEqual([]);
    expect(sink.of('instance.started').map(({ path }) => path)).toEqual(['flow']);
  });

  it('goes on wherever it was cut, with the same choice and answer, and repeats no step that had ended', async () => {
    const parsed = projectOf({ ...agents, flow: router() });
    const { whole, resumed } = await resumeEverywhere(parsed, () => model([choose('poet'), choose('b')]));
    expect(whole.outcome).toMatchObject({ status: 'completed', answer: 'b(go)' });
    for (const { outcome, repeated, log } of resumed) {
      expect(outcome).toEqual(whole.outcome);
      expect(repeated).toEqual([]);
      expect(decisions(log)).toEqual(decisions(whole.log));
    }
  });
});

describe('a router with servers', () => {
  const servers = 'mcp: {servers: {stock: {command: stock}}}';
  const parsed = projectOf({ ...agents, flow: router('servers: [stock]\ntools: {stock: [count]}') }, '', servers);
  const tools = () => ({ mcp: fakeTools({ stock__count: () => '3 left' }) });
  const look = { text: 'I look.', calls: [{ tool: 'stock__count' }] };

  it('lets its model use their tools before it chooses, and keeps what they said to itself', async () => {
    const asked = model([look, choose('b')]);
    const { outcome, sink } = await runGraph({ parsed, model: asked, tools: tools() });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'b(go)' });
    const steps = sink.events.flatMap((event) =>
      ['model.started', 'tool.started', 'workflow.decided'].includes(event.kind) && 'step' in event ? [event.step] : [],
    );
    expect(steps).toEqual(['flow#m1', 'flow#t1', 'flow#m2', 'flow#d1', 'flow#t2', 'flow/b[1]#m1']);
    expect(asked.requests[0]).toMatchObject({
      tools: [{ name: 'stock__count' }],
      responseFormat: { schema: { type: 'object' } },
    });
    expect(told(asked.requests[1]?.messages ?? [])).toEqual(['go', 'I look.', 'results']);
    expect(asked.requests[1]?.instruction).toBe(asked.requests[0]?.instruction);
    const usage = sink.of('instance.ended').find(({ path }) => path === 'flow')?.usage;
    expect(usage).toMatchObject({ inputTokens: 20, modelCalls: 2 });
  });

  it.each([
    ['no JSON', 'words', 'it is not JSON'],
    ['an unknown agent', choose('poet'), '/agent must be equal to one of the allowed values ("a", "b", null)'],
  ])('asks once more after %s, with the reason', async (_, answer, reason) => {
    const asked = model([look, answer, choose('a')]);
    const { outcome } = await runGraph({ parsed, model: asked, tools: tools() });
    expect(outcome.answer).toBe('a(go)');
    expect(told(asked.requests[2]?.messages ?? []).at(-1)).toContain(`The answer was not accepted: ${reason}. `);
  });

  it.each([
    ['answer_invalid', 'more words', "model 'test-model'"],
    ['router_unknown_agent', choose('poet'), "has no agent 'poet'"],
    ['router_no_choice', choose(null), "Its model's reason: It fits."],
  ])('ends with %s after a second answer that is not accepted', async (code, answer, words) => {
    const asked = model(['words', answer]);
    const { outcome } = await runGraph({ parsed, model: asked, tools: tools() });
    expect(outcome.error).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(asked.unexpected).toEqual([]);
  });

  it('ends when its model calls tools without end', async () => {
    const limited = { ...parsed, settings: { ...parsed.settings, limits: { max_iterations: 4 } } };
    const asked = model(() => look);
    const { outcome } = await runGraph({ parsed: limited, model: asked, tools: tools() });
    expect(outcome.error?.code).toBe('max_iterations');
    expect(asked.requests).toHaveLength(4);
  });

  it('does not take the result of a tool for a choice', async () => {
    const passing = projectOf(
      { ...agents, flow: router('servers: [stock]\nrequest_params: {tool_result_mode: passthrough}') },
      '',
      servers,
    );
    const { outcome } = await runGraph({ parsed: passing, model: model([look, choose('b')]), tools: tools() });
    expect(outcome.answer).toBe('b(go)');
  });

  it('goes on wherever it was cut, with the same choice and answer, and repeats no step that had ended', async () => {
    const { whole, resumed } = await resumeEverywhere(parsed, () => model([look, 'words', look, choose('b')]), {
      tools: tools(),
    });
    expect(whole.outcome).toMatchObject({ status: 'completed', answer: 'b(go)' });
    for (const { outcome, repeated, log } of resumed) {
      expect(outcome).toEqual(whole.outcome);
      expect(repeated).toEqual([]);
      expect(decisions(log)).toEqual(decisions(whole.log));
    }
  });
});
