import { describe, expect, it } from 'vitest';
import { textOf } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { fakeRemote } from '@/lib/testing/fake-remote';
import { projectOf } from '@/lib/testing/project-of';
import { resumeEverywhere } from '@/lib/testing/resume-everywhere';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const far = 'type: a2a\nurl: https://far.example';
const entry = () => projectOf({ far: `${far}\ndefault: true` });
const echo = () => fakeRemote(({ text }) => ({ text: `far(${text})`, texts: ['far', `(${text})`] }));
const noModel = () => scriptedModel({});

describe('a remote agent', () => {
  it('answers a run, and its task and states are recorded decisions', async () => {
    const remote = echo();
    const { outcome, sink } = await runGraph({ parsed: entry(), model: noModel(), remote });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'far(go)' });
    expect(remote.calls).toEqual([
      { card: 'far', text: 'go', attachments: [], messageId: 'run/far#d1', rejoined: undefined },
    ]);
    expect(sink.of('workflow.decided').map(({ path, step, decision }) => [path, step, decision])).toEqual([
      ['far', 'far#d1', { what: 'remote_task', taskId: 'T1', contextId: 'C', state: 'working' }],
      ['far', 'far#d2', { what: 'remote_task', taskId: 'T1', contextId: 'C', state: 'completed' }],
    ]);
    expect(sink.of('instance.started').map(({ model }) => model)).toEqual([undefined]);
  });

  it('is a child, a step of a chain and a branch of a parallel', async () => {
    const parsed = projectOf({
      lead: 'default: true\nagents: [flow]',
      flow: 'type: chain\nsequence: [both, far]',
      both: 'type: parallel\nfan_out: [far, a]\ninclude_request: false',
      a: '',
      far,
    });
    const lead = [{ calls: [{ tool: 'agent__flow', arguments: { text: 'x' } }] }, 'done'];
    const remote = echo();
    const { outcome, sink } = await runGraph({ parsed, model: scriptedModel({ lead, a: 'one' }), remote });
    expect(outcome.answer).toBe('done');
    const [result] = sink.of('tool.ended').filter(({ path }) => path === 'lead');
    expect(result && textOf(result.result.content)).toContain('far(<fastagent:response agent="far">\nfar(x)');
    expect(remote.calls.map(({ messageId }) => messageId)).toEqual([
      'run/lead/flow[1]/both[1]/far[1]#d1',
      'run/lead/flow[1]/far[1]#d1',
    ]);
  });

  it('streams its text like a model', async () => {
    const { sink } = await runGraph({ parsed: entry(), model: noModel(), remote: echo() });
    expect(sink.deltas.map(({ path, step, text }) => [path, step, text])).toEqual([
      ['far', 'far#d1', 'far'],
      ['far', 'far#d1', '(go)'],
    ]);
  });

  it('gets what was said before in its message', async () => {
    const parsed = projectOf({
      a: '',
      far,
      flow: 'type: chain\ndefault: true\ncumulative: true\nsequence: [a, a, far]',
    });
    const remote = echo();
    const { outcome } = await runGraph({ parsed, model: scriptedModel({ a: 'one' }), remote });
    expect(outcome.status).toBe('completed');
    expect(remote.calls.map(({ text }) => text)).toEqual(['go\n\none\n\none']);
  });

  it('is told the schema that its answer must fit, and its answer is checked', async () => {
    const schema = '{type: object, properties: {ok: {type: boolean}}, required: [ok]}';
    const parsed = projectOf(
      { lead: 'default: true\nagents: [far]', far },
      `delegations: {lead: {far: {output_schema: ${schema}}}}`,
    );
    const lead = [{ calls: [{ tool: 'agent__far', arguments: { text: 'x' } }] }, 'done'];
    const remote = fakeRemote(() => ({ text: 'no JSON' }));
    const { sink } = await runGraph({ parsed, model: scriptedModel({ lead }), remote });
    expect(remote.calls[0]?.text).toContain('"required":["ok"]');
    expect(sink.of('instance.ended')[0]).toMatchObject({ path: 'lead/far[1]', error: { code: 'output_validation' } });
  });

  it('fails with the error of the task', async () => {
    const error = { code: 'a2a_rejected', message: 'No.' };
    const remote = fakeRemote(() => ({ states: ['rejected'], error }));
    const { outcome } = await runGraph({ parsed: entry(), model: noModel(), remote });
    expect(outcome).toMatchObject({ status: 'failed', error });
  });

  it('an empty answer says that there is none', async () => {
    const { outcome } = await runGraph({ parsed: entry(), model: noModel(), remote: fakeRemote(() => ({})) });
    expect(outcome.answer).toBe('(No response)');
  });

  it('cannot run where nothing calls remote agents', async () => {
    const { outcome } = await runGraph({ parsed: entry(), model: noModel() });
    expect(outcome.error).toEqual({ code: 'a2a_unavailable', message: "Remote agent 'far' cannot be called here." });
  });

  it('ends with its time limit, and records nothing afterwards', async () => {
    const parsed = projectOf(
      { lead: 'default: true\nagents: [far]', far },
      'delegations: {lead: {far: {timeout_ms: 50}}}',
    );
    const lead = [{ calls: [{ tool: 'agent__far', arguments: { text: 'x' } }] }, 'done'];
    const clock = fakeClock();
    const remote = fakeRemote(() => ({ states: ['working'], hangs: true }));
    const { outcome, sink } = await runGraph({ parsed, model: scriptedModel({ lead }), remote, clock });
    expect(outcome.answer).toBe('done');
    expect(sink.of('instance.ended')[0]).toMatchObject({ path: 'lead/far[1]', status: 'timeout' });
    expect(sink.of('workflow.decided')).toHaveLength(1);
  });

  it('goes on wherever it was cut: it waits for the recorded task and sends no second message', async () => {
    const parsed = projectOf({
      lead: 'default: true\nagents: [far]',
      far,
    });
    const lead = [{ calls: [{ tool: 'agent__far', arguments: { text: 'x' } }] }, 'done'];
    const remote = echo();
    const { whole, resumed } = await resumeEverywhere(parsed, () => scriptedModel({ lead }), { remote });
    expect(whole.outcome.status).toBe('completed');
    for (const { outcome, log, length } of resumed) {
      expect(outcome).toEqual(whole.outcome);
      const cut = whole.log.slice(0, length);
      const known = cut.some(({ kind }) => kind === 'workflow.decided');
      const states = log.flatMap((event) =>
        event.kind === 'workflow.decided' && event.decision.what === 'remote_task' ? [event.step] : [],
      );
      expect(new Set(states).size).toBe(states.length);
      if (known) expect(new Set(log.flatMap((event) => taskIn(event))).size).toBe(1);
    }
    const rejoined = remote.calls.filter((call) => call.rejoined !== undefined);
    expect(rejoined.length).toBeGreaterThan(0);
    expect(new Set(remote.calls.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('in a session is not asked again for what it answered before a crash, and gets no earlier conversation', async () => {
    const parsed = projectOf(
      { lead: 'default: true\nagents: [far]', far },
      'delegations: {lead: {far: {session: reuse}}}',
    );
    const call = (text: string) => ({ calls: [{ tool: 'agent__far', arguments: { text } }] });
    const lead = [call('one'), call('two'), 'done'];
    const remote = echo();
    const whole = await runGraph({ parsed, model: scriptedModel({ lead }), remote });
    expect(whole.outcome.answer).toBe('done');
    expect(remote.calls.map(({ text }) => text)).toEqual(['one', 'two']);
    const cut = whole.log.findIndex((event) => event.kind === 'instance.ended') + 1;
    const again = echo();
    await runGraph({ parsed, model: scriptedModel({ lead }), remote: again, log: whole.log.slice(0, cut) });
    expect(again.calls.map(({ text }) => text)).toEqual(['two']);
  });
});

function taskIn(event: { readonly kind: string }): string[] {
  return 'decision' in event ? [(event.decision as { taskId: string }).taskId] : [];
}
