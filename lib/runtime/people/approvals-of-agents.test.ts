import { describe, expect, it } from 'vitest';
import type { Approvals } from '@/lib/cards/approval-settings';
import { folderOf } from '@/lib/cards/files';
import type { Settings } from '@/lib/cards/settings';
import { type FakePerson, fakePeople } from '@/lib/testing/fake-people';
import { projectOf } from '@/lib/testing/project-of';
import { type Asking, mail, runAsking } from '@/lib/testing/run-asking';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

/** A rule whose denial ends the turn. */
const failing = (rule: object): Approvals => ({
  rules: [{ tools: ['mail__*'], effect: 'ask', on_denied: 'fail', at_limit: 'fail', ...rule }],
});

describe('a call of a child', () => {
  const scripts = {
    lead: [{ calls: [{ tool: 'agent__mid', arguments: { text: 'write' } }] }, 'done'],
    mid: [
      { calls: [{ tool: 'agent__kid', arguments: { text: 'send it', attachments: ['a.txt', 'b.txt'] } }] },
      'mid done',
    ],
    kid: [{ calls: [mail('ann')] }, 'kid done'],
  };
  const folder = folderOf({ 'a.txt': 'A', 'b.txt': 'BB' });
  const delegations: Settings['delegations'] = { mid: { kid: { attachments: { max: 4 } } } };
  const below = (given: Asking) =>
    runAsking({ graph: 'lead > mid; mid > kid', scripts, settings: { delegations }, more: { folder }, ...given });

  it('two levels below the root asks with its path of agents', async () => {
    const { asked, outcome } = await below({});
    expect(asked.map(({ path, tool }) => [path, tool?.name])).toEqual([['lead/mid[1]/kid[1]', 'mail__send']]);
    expect(outcome.answer).toBe('done');
  });

  it.each<[what: string, code: string, given: Asking]>([
    ['denied', 'APPROVAL_DENIED', { approvals: failing({}), person: () => ({ decision: 'deny' }) }],
    ['not answered in time', 'APPROVAL_DENIED', { approvals: failing({ limit_s: 60 }), person: () => 'expired' }],
    ['never allowed', 'APPROVAL_BLOCKED', { approvals: failing({ effect: 'deny' }) }],
  ])('that ended because its call was %s is not tried again, on no level', async (_, code, given) => {
    const again = { max_attempts: 3, failure_mode: 'propagate' as const, attachments: { max: 4 } };
    const settings = { delegations: { lead: { mid: again }, mid: { kid: again } } };
    const { asked, results, sink } = await below({ ...given, settings });
    expect(asked).toHaveLength(code === 'APPROVAL_DENIED' ? 1 : 0);
    expect(results.map(([ended]) => ended)).toEqual([code, code, code]);
    expect(sink.of('instance.queued').map(({ path }) => path)).toEqual(['lead', 'lead/mid[1]', 'lead/mid[1]/kid[1]']);
  });

  it('asks about files first, one question each, then about the call', async () => {
    const { sentences, asked, outcome } = await below({
      approvals: { attachments: 'ask', rules: [{ tools: ['agent__kid'], effect: 'ask' }] },
    });
    expect(sentences).toEqual([
      "Give file 'a.txt' (1 bytes) to agent 'kid'",
      "Give file 'b.txt' (2 bytes) to agent 'kid'",
      "Call agent 'kid' with input: send it, attachments: a.txt, b.txt",
    ]);
    expect(asked.map(({ what }) => what)).toEqual(['attachment', 'attachment', 'approval']);
    expect(asked[0]?.arguments).toEqual({ path: 'a.txt', bytes: 1, agent: 'kid' });
    expect(outcome.answer).toBe('done');
  });

  it('denying a file means that the child never starts', async () => {
    const { sink, sentences, results } = await below({
      approvals: { attachments: 'ask', rules: [{ tools: ['agent__kid'], effect: 'ask' }] },
      person: ({ what }) => ({ decision: what === 'attachment' ? 'deny' : 'approve', note: 'Secret.' }),
      scripts,
    });
    expect(sentences).toHaveLength(1);
    expect(results[0]).toEqual([
      'APPROVAL_DENIED',
      "Error: The file 'a.txt' was denied by a person, so nothing ran. Reason: Secret.",
    ]);
    expect(sink.of('instance.started').map(({ path }) => path)).toEqual(['lead', 'lead/mid[1]']);
    expect(sink.of('instance.ended').find(({ path }) => path === 'lead/mid[1]/kid[1]')).toMatchObject({
      status: 'failed',
      error: { code: 'APPROVAL_DENIED' },
    });
  });

  it('asks or is denied as its edge says, and fails its parent as the failure mode says', async () => {
    const edge = (more: object) => ({
      settings: { delegations: { mid: { kid: { attachments: { max: 4 }, ...more } } } },
    });
    const asks = await below({ approvals: {}, ...edge({ approval: 'ask' }) });
    expect(asks.asked.map(({ why }) => why)).toEqual([{ rule: 'delegations.mid.kid.approval', level: 'tool' }]);
    const denies = await below({ approvals: {}, ...edge({ approval: 'deny' }) });
    expect(denies.results[0]?.[0]).toBe('APPROVAL_BLOCKED');
    const fails = await below({
      approvals: {},
      ...edge({ approval: 'ask', failure_mode: 'propagate' }),
      person: () => ({ decision: 'deny' }),
      scripts: { ...scripts, mid: scripts.mid.slice(0, 1) },
    });
    expect(fails.results.at(-1)?.[0]).toBe('APPROVAL_DENIED');
  });

  it('an edited message reaches the child, and other files are asked for', async () => {
    const { model, sentences, results, asked } = await below({
      approvals: { attachments: 'ask', rules: [{ tools: ['agent__kid'], effect: 'ask' }] },
      person: ({ what }) =>
        what === 'approval'
          ? { decision: 'edit', arguments: { text: 'send less', attachments: ['a.txt', 'c.txt'] } }
          : {},
      more: { folder: folderOf({ 'a.txt': 'A', 'b.txt': 'BB', 'c.txt': 'CCC' }) },
    });
    expect(sentences.at(-1)).toBe("Give file 'c.txt' (3 bytes) to agent 'kid'");
    expect(asked).toHaveLength(4);
    const kid = model.requests.find(({ agentName }) => agentName === 'kid')?.messages[0];
    expect(kid).toMatchObject({ content: [{ text: 'send less' }, { uri: 'a.txt' }, { uri: 'c.txt' }] });
    expect(results.find(([, text]) => text?.endsWith('kid done'))?.[1]).toContain('A person changed the arguments');
  });
});

describe('a step of a workflow', () => {
  const parsed = (approvals: Approvals) =>
    projectOf(
      { a: '', b: '', flow: 'type: chain\ndefault: true\nsequence: [a, b]' },
      `approvals: ${JSON.stringify(approvals)}`,
    );
  const runFlow = async (approvals: Approvals, person: FakePerson) => {
    const people = fakePeople(person);
    const { outcome } = await runGraph({
      parsed: parsed(approvals),
      model: scriptedModel({ a: 'from a', b: 'from b' }),
      people,
      onSink: people.watch,
    });
    return { outcome, sentences: people.asked.map(({ sentence }) => sentence) };
  };

  it('is a call of the workflow: it asks, and a denial fails the workflow', async () => {
    const approvals: Approvals = { agents: { flow: 'ask' } };
    const { outcome, sentences } = await runFlow(approvals, () => ({}));
    expect(sentences).toEqual(["Call agent 'a' with input: go", "Call agent 'b' with input: from a"]);
    expect(outcome.answer).toBe('from b');
    const denied = await runFlow(approvals, () => ({ decision: 'deny', note: 'No.' }));
    expect(denied.outcome.status).toBe('failed');
    expect(denied.sentences).toHaveLength(1);
  });

  it('hands on the answer without the line about changed arguments', async () => {
    const { outcome, sentences } = await runFlow({ rules: [{ tools: ['agent__a'], effect: 'ask' }] }, () => ({
      decision: 'edit',
      arguments: { text: 'other' },
    }));
    expect([outcome.answer, sentences]).toEqual(['from b', ["Call agent 'a' with input: go"]]);
    const { sentences: next } = await runFlow({ agents: { flow: 'ask' } }, ({ tool }) =>
      tool?.name === 'agent__a' ? { decision: 'edit', arguments: { text: 'other' } } : {},
    );
    expect(next.at(-1)).toBe("Call agent 'b' with input: from a");
  });
});

describe('dynamic calls', () => {
  const created = {
    name: 'made',
    instructions: 'Send mail.',
    tools: ['mail__send'],
  };
  const toolsets: Settings['toolsets'] = { lead: { delegation: { create: 'allowed' } } };

  it('creation shows tools and model, and a created agent is held to the rules of its creator', async () => {
    const { sentences, outcome } = await runAsking({
      approvals: {
        rules: [{ tools: ['worker_create', 'agent__made', 'mail__*'], agents: ['lead'], effect: 'ask' }],
      },
      settings: { toolsets },
      scripts: {
        lead: [
          { calls: [{ tool: 'worker_create', arguments: created }] },
          { calls: [{ tool: 'worker_call', arguments: { worker: 'made', input_data: 'hello' } }] },
          'done',
        ],
        made: [{ calls: [mail('ann')] }, 'made done'],
      },
    });
    expect(sentences).toEqual([
      "Create agent 'made' with tools mail__send, on model test-model",
      "Call agent 'made' with input: hello",
      `Call tool 'mail__send' with input: {"to":"ann"}`,
    ]);
    expect(outcome.answer).toBe('done');
  });

  it('nobody is asked for an agent that cannot be created', async () => {
    const { asked, results } = await runAsking({
      approvals: { default: 'ask' },
      settings: { toolsets },
      scripts: {
        lead: [{ calls: [{ tool: 'worker_create', arguments: { ...created, tools: ['gone'] } }] }, 'done'],
      },
    });
    expect(asked).toEqual([]);
    expect(results[0]?.[0]).toBe('NOT_ALLOWED');
  });
});
