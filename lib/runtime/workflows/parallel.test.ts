import { describe, expect, it } from 'vitest';
import { type Message, textOf } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { projectOf } from '@/lib/testing/project-of';
import { resumeEverywhere } from '@/lib/testing/resume-everywhere';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const agents = { a: '', b: '', sum: '' };
const parallel = (more: string) => `type: parallel\ndefault: true\n${more}`;
const lastText = (messages: readonly Message[]) => {
  const last = messages.at(-1);
  return last?.role === 'user' ? textOf(last.content) : '';
};
const model = () => scriptedModel({ a: 'one', b: 'two', sum: ({ messages }) => `sum of <${lastText(messages)}>` });

const joined = [
  'These agents were all sent the following request:',
  '<fastagent:request>\ngo\n</fastagent:request>',
  '<fastagent:response agent="a">\none\n</fastagent:response>',
  '<fastagent:response agent="b">\ntwo\n</fastagent:response>',
].join('\n\n');

describe('a parallel', () => {
  it('runs its agents at once and gives request and answers to its fan_in', async () => {
    const clock = fakeClock();
    const slow = scriptedModel(
      { a: { text: 'one', delayMs: 100 }, b: { text: 'two', delayMs: 100 }, sum: 'all' },
      clock,
    );
    const parsed = projectOf({ ...agents, flow: parallel('fan_out: [a, b]\nfan_in: sum') });
    const { outcome, sink } = await runGraph({ parsed, model: slow, clock });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'all' });
    const kinds = sink.events.flatMap((event) =>
      event.kind === 'instance.started' || event.kind === 'instance.ended'
        ? [`${event.kind.slice(9)} ${event.path}`]
        : [],
    );
    expect(kinds).toEqual([
      'started flow',
      'started flow/a[1]',
      'started flow/b[1]',
      'ended flow/a[1]',
      'ended flow/b[1]',
      'started flow/sum[1]',
      'ended flow/sum[1]',
      'ended flow',
    ]);
    expect(lastText(slow.requests.at(-1)?.messages ?? [])).toBe(joined);
  });

  it('without fan_in answers the joined text and asks no model for it', async () => {
    const asked = model();
    const { outcome } = await runGraph({
      parsed: projectOf({ ...agents, flow: parallel('fan_out: [a, b]') }),
      model: asked,
    });
    expect(outcome.answer).toBe(joined);
    expect(asked.requests.map(({ agentName }) => agentName)).toEqual(['a', 'b']);
  });

  it('leaves the request out with include_request: false', async () => {
    const parsed = projectOf({ ...agents, flow: parallel('fan_out: [a, b]\ninclude_request: false') });
    const { outcome } = await runGraph({ parsed, model: model() });
    expect(outcome.answer).toBe(joined.slice(joined.indexOf('<fastagent:response')));
  });

  it('lets all agents end when one fails, and then fails with its reason', async () => {
    const failing = scriptedModel({
      a: { error: { code: 'model_failed', message: 'Broken.' } },
      b: 'two',
      sum: 'never',
    });
    const parsed = projectOf({ ...agents, flow: parallel('fan_out: [a, b]\nfan_in: sum') });
    const { outcome, sink } = await runGraph({ parsed, model: failing });
    expect(outcome.error?.message).toMatch(/'flow' ended because its step 'a' failed: .*Broken\./);
    expect(sink.of('instance.ended').map(({ path, status }) => [path, status])).toEqual([
      ['flow/a[1]', 'failed'],
      ['flow/b[1]', 'completed'],
      ['flow', 'failed'],
    ]);
  });

  it('says how many of its steps failed', async () => {
    const error = { code: 'model_failed', message: 'Broken.' };
    const parsed = projectOf({ ...agents, flow: parallel('fan_out: [a, b]') });
    const { outcome } = await runGraph({ parsed, model: scriptedModel({ a: { error }, b: { error } }) });
    expect(outcome.error?.message).toMatch(/\(2 of 2 steps failed\.\)$/);
  });

  it('hands what its answer must fit to its fan_in alone', async () => {
    const schema = '{type: object, properties: {ok: {type: boolean}}, required: [ok]}';
    const parsed = projectOf(
      { ...agents, lead: 'default: true\nagents: [flow]', flow: 'type: parallel\nfan_out: [a, b]\nfan_in: sum' },
      `delegations: {lead: {flow: {output_schema: ${schema}}}}`,
    );
    const lead = [{ calls: [{ tool: 'agent__flow', arguments: { text: 'go' } }] }, 'done'];
    const asked = scriptedModel({ lead, a: 'one', b: 'two', sum: '{"ok": true}' });
    const { sink } = await runGraph({ parsed, model: asked });
    const told = asked.requests.filter(({ instruction }) => instruction.includes('"required":["ok"]'));
    expect(told.map(({ agentName, messages }) => [agentName, lastText(messages)])).toEqual([['sum', joined]]);
    const [result] = sink.of('tool.ended').filter(({ path }) => path === 'lead');
    expect(result?.result.structuredContent).toEqual({ ok: true });
  });

  it('may name an agent twice, and two agents that a delegation gives the same name', async () => {
    const settings = 'delegations: {flow: {a: {tool_name: ask}, b: {tool_name: ask}}}';
    const parsed = projectOf({ ...agents, flow: parallel('fan_out: [a, a, b]') }, settings);
    const { outcome } = await runGraph({ parsed, model: model() });
    expect(outcome.answer?.match(/agent="(\w)">\n(\w+)/g)).toEqual([
      'agent="a">\none',
      'agent="a">\none',
      'agent="b">\ntwo',
    ]);
  });

  it('keeps to limits.max_parallel', async () => {
    const parsed = projectOf({ ...agents, flow: parallel('fan_out: [a, b]') }, 'limits: {max_parallel: 1}');
    const { sink } = await runGraph({ parsed, model: model() });
    const order = sink.events.flatMap((event) =>
      event.kind === 'instance.started' || event.kind === 'instance.ended'
        ? [`${event.kind.slice(9)} ${event.path}`]
        : [],
    );
    expect(order.slice(1, 5)).toEqual(['started flow/a[1]', 'ended flow/a[1]', 'started flow/b[1]', 'ended flow/b[1]']);
  });

  it('goes on wherever it was cut, with the same answer, and repeats no step that had ended', async () => {
    const parsed = projectOf({
      ...agents,
      flow: parallel('fan_out: [a, both, b]\nfan_in: sum'),
      both: 'type: parallel\nfan_out: [a, b]\nfan_in: sum',
    });
    const { whole, resumed } = await resumeEverywhere(parsed, model);
    expect(whole.outcome.status).toBe('completed');
    for (const { outcome, repeated } of resumed) {
      expect(outcome).toEqual(whole.outcome);
      expect(repeated).toEqual([]);
    }
  });
});
