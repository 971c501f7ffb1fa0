import { describe, expect, it } from 'vitest';
import { textOf } from '@/lib/runtime/record/messages';
import { projectOf } from '@/lib/testing/project-of';
import { resumeEverywhere } from '@/lib/testing/resume-everywhere';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const steps = { a: '', b: '', c: '' };
const chain = (more = '') => `type: chain\ndefault: true\nsequence: [a, b, c]\n${more}`;
const echo = (name: string) => ({
  [name]: ({ messages }: { messages: readonly { role: string }[] }) => `${name}(${said(messages)})`,
});
const model = () => scriptedModel({ ...echo('a'), ...echo('b'), ...echo('c') });

function said(messages: readonly { readonly role: string; readonly content?: unknown }[]): string {
  return messages.map((message) => ('content' in message ? textOf(message.content as never) : '')).join('|');
}

describe('a chain', () => {
  it('gives each agent the answer of the one before, and answers what the last one answers', async () => {
    const { outcome, sink } = await runGraph({ parsed: projectOf({ ...steps, flow: chain() }), model: model() });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'c(b(a(go)))' });
    expect(sink.of('instance.started').map(({ path, model, input }) => [path, model, input])).toEqual([
      ['flow', undefined, 'go'],
      ['flow/a[1]', 'test-model', 'go'],
      ['flow/b[1]', 'test-model', 'a(go)'],
      ['flow/c[1]', 'test-model', 'b(a(go))'],
    ]);
    expect(sink.of('tool.started').map(({ step, toolName, arguments: args }) => [step, toolName, args])).toEqual([
      ['flow#t1', 'agent__a', { text: 'go' }],
      ['flow#t2', 'agent__b', { text: 'a(go)' }],
      ['flow#t3', 'agent__c', { text: 'b(a(go))' }],
    ]);
  });

  it('with cumulative gives each agent the request and all answers so far, and answers them all in tags', async () => {
    const { outcome } = await runGraph({
      parsed: projectOf({ ...steps, flow: chain('cumulative: true') }),
      model: model(),
    });
    expect(outcome.answer).toBe(
      [
        '<fastagent:request>go</fastagent:request>',
        "<fastagent:response agent='a'>a(go)</fastagent:response>",
        "<fastagent:response agent='b'>b(go|a(go))</fastagent:response>",
        "<fastagent:response agent='c'>c(go|a(go)|b(go|a(go)))</fastagent:response>",
      ].join('\n\n'),
    );
  });

  it('may name an agent twice: each call is an instance of its own', async () => {
    const parsed = projectOf({ a: '', flow: 'type: chain\ndefault: true\nsequence: [a, a]' });
    const { outcome, sink } = await runGraph({ parsed, model: model() });
    expect(outcome.answer).toBe('a(a(go))');
    expect(sink.of('instance.started').map(({ path }) => path)).toEqual(['flow', 'flow/a[1]', 'flow/a[2]']);
  });

  it('ends with an error that names the step that failed, and starts none after it', async () => {
    const failing = scriptedModel({ ...echo('a'), b: { error: { code: 'model_failed', message: 'No more tokens.' } } });
    const { outcome, sink } = await runGraph({ parsed: projectOf({ ...steps, flow: chain() }), model: failing });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'step_failed' } });
    expect(outcome.error?.message).toContain("'flow' ended because its step 'b' failed: ");
    expect(outcome.error?.message).toContain('No more tokens.');
    expect(sink.of('instance.started').map(({ path }) => path)).toEqual(['flow', 'flow/a[1]', 'flow/b[1]']);
  });

  it('in a chain gets the answer of the step before, and a child that is a chain answers its parent', async () => {
    const parsed = projectOf({
      ...steps,
      lead: 'default: true\nagents: [outer]',
      outer: 'type: chain\nsequence: [a, inner]',
      inner: 'type: chain\nsequence: [b, c]',
    });
    const lead = [{ calls: [{ tool: 'agent__outer', arguments: { text: 'x' } }] }, 'done'];
    const { outcome, sink } = await runGraph({
      parsed,
      model: scriptedModel({ lead, ...echo('a'), ...echo('b'), ...echo('c') }),
    });
    expect(outcome.answer).toBe('done');
    const [result] = sink.of('tool.ended').filter(({ path }) => path === 'lead');
    expect(result && textOf(result.result.content)).toBe('c(b(a(x)))');
  });

  it('hands what its answer must fit to its last step', async () => {
    const schema = '{type: object, properties: {ok: {type: boolean}}, required: [ok]}';
    const parsed = projectOf(
      { a: '', b: '', lead: 'default: true\nagents: [flow]', flow: 'type: chain\nsequence: [a, b]' },
      `delegations: {lead: {flow: {output_schema: ${schema}}}}`,
    );
    const lead = [{ calls: [{ tool: 'agent__flow', arguments: { text: 'x' } }] }, 'done'];
    const asked = scriptedModel({ lead, ...echo('a'), b: '{"ok": true}' });
    const { sink } = await runGraph({ parsed, model: asked });
    expect(
      asked.requests.map(({ agentName, instruction }) => [agentName, instruction.includes('"required":["ok"]')]),
    ).toEqual([
      ['lead', false],
      ['a', false],
      ['b', true],
      ['lead', false],
    ]);
    const last = sink.of('tool.ended').find(({ path, result }) => path === 'lead' && !result.isError);
    expect(last?.result.structuredContent).toEqual({ ok: true });
  });

  it('with cumulative and a schema for its answer, answers what the last agent says after all others', async () => {
    const schema = '{type: object, properties: {ok: {type: boolean}}, required: [ok]}';
    const parsed = projectOf(
      {
        ...steps,
        lead: 'default: true\nagents: [flow]',
        flow: 'type: chain\nsequence: [a, b, c]\ncumulative: true',
      },
      `delegations: {lead: {flow: {output_schema: ${schema}}}}`,
    );
    const lead = [{ calls: [{ tool: 'agent__flow', arguments: { text: 'x' } }] }, 'done'];
    const asked = scriptedModel({ lead, ...echo('a'), ...echo('b'), c: '{"ok": true}' });
    const { sink } = await runGraph({ parsed, model: asked });
    const [result] = sink.of('tool.ended').filter(({ path }) => path === 'lead');
    expect(result?.result.structuredContent).toEqual({ ok: true });
    const last = asked.requests.find(({ agentName }) => agentName === 'c');
    expect(said(last?.messages ?? [])).toBe('x|a(x)|b(x|a(x))');
  });

  it('goes on wherever it was cut, with the same answer, and repeats no step that had ended', async () => {
    const parsed = projectOf({
      ...steps,
      flow: 'type: chain\ndefault: true\nsequence: [a, inner, c]',
      inner: 'type: chain\nsequence: [a, b]\ncumulative: true',
    });
    const { whole, resumed } = await resumeEverywhere(parsed, model);
    expect(whole.outcome.status).toBe('completed');
    for (const { outcome, repeated } of resumed) {
      expect(outcome).toEqual(whole.outcome);
      expect(repeated).toEqual([]);
    }
  });
});
