import { describe, expect, it } from 'vitest';
import type { Approvals } from '@/lib/cards/approval-settings';
import { fakePeople } from '@/lib/testing/fake-people';
import { fakeTools } from '@/lib/testing/fake-tools';
import { askMail, mail, runAsking } from '@/lib/testing/run-asking';

describe('a call at the gate', () => {
  it('waits for a person, who sees what will happen, why it asks and what the model said', async () => {
    const { asked, results, tools, outcome, sink } = await runAsking({
      turns: [{ text: 'I write to Ann.', calls: [mail('ann', { password: 'x1' })] }, 'done'],
      person: () => ({ note: 'fine' }),
    });
    expect(asked).toMatchObject([
      {
        what: 'approval',
        path: 'lead',
        step: 'lead#t1',
        sentence: `Call tool 'mail__send' with input: {"to":"ann","password":"[redacted]"}`,
        tool: { name: 'mail__send', source: 'mcp', serverName: 'mail', remoteName: 'send' },
        arguments: { to: 'ann', password: '[redacted]' },
        editable: true,
        why: { rule: 'approvals.rules.0: mail__*', level: 'tool' },
        said: 'I write to Ann.',
      },
    ]);
    expect(tools.calls).toEqual([{ name: 'mail__send', step: 'lead#t1', args: { to: 'ann', password: 'x1' } }]);
    expect(results).toEqual([['ok', 'sent to "ann"']]);
    expect(outcome.status).toBe('completed');
    expect(sink.of('person.answered')).toMatchObject([
      { outcome: 'answered', answer: { decision: 'approve', by: 'ann', note: 'fine' } },
    ]);
    const kinds = sink.events.map(({ kind }) => kind);
    expect(kinds.indexOf('person.asked')).toBeGreaterThan(kinds.indexOf('tool.started'));
    expect(kinds.indexOf('person.answered')).toBeLessThan(kinds.indexOf('tool.ended'));
  });

  it('the hash of the question is over the arguments before redaction', async () => {
    const { asked } = await runAsking({
      turns: [{ calls: [mail('ann', { password: 'x1' }), mail('ann', { password: 'x2' })] }, 'done'],
    });
    expect(asked[0]?.arguments).toEqual(asked[1]?.arguments);
    expect(asked[0]?.argumentsHash).not.toBe(asked[1]?.argumentsHash);
  });

  it('is blocked without a question, and the model reads a code', async () => {
    const { asked, results, tools } = await runAsking({
      approvals: { rules: [{ tools: ['mail__*'], effect: 'deny' }] },
      person: () => ({}),
    });
    expect([asked, tools.calls]).toEqual([[], []]);
    expect(results).toEqual([
      ['APPROVAL_BLOCKED', "Error: 'mail__send' is not allowed in this project. Do the task without it."],
    ]);
  });

  it('approving one call does not approve its sibling', async () => {
    let count = 0;
    const { results, tools, asked } = await runAsking({
      turns: [{ calls: [mail('ann'), mail('ann')] }, 'done'],
      person: () => ({ decision: ++count === 1 ? 'approve' : 'deny' }),
    });
    expect(asked.map(({ step }) => step)).toEqual(['lead#t1', 'lead#t2']);
    expect(tools.calls).toHaveLength(1);
    expect(results.map(([code]) => code).sort()).toEqual(['APPROVAL_DENIED', 'ok']);
  });

  it('a denied call never runs; the model reads the note, or that it was cancelled', async () => {
    const noted = await runAsking({ person: () => ({ decision: 'deny', note: 'Wrong Ann.' }) });
    expect(noted.results).toEqual([
      ['APPROVAL_DENIED', 'Error: This call was denied by a person, so nothing ran. Reason: Wrong Ann.'],
    ]);
    expect(noted.tools.calls).toEqual([]);
    expect(noted.outcome.status).toBe('completed');
    const bare = await runAsking({ person: () => ({ decision: 'deny' }) });
    expect(bare.results[0]?.[1]).toBe('Error: Operation cancelled. This call was denied by a person, so nothing ran.');
    // An answer that is none for this kind of question never reads as consent.
    expect((await runAsking({ person: () => ({ decision: 'answer', content: 'yes' }) })).tools.calls).toEqual([]);
  });

  it('with on_denied: fail a denial ends the turn of the agent that made the call', async () => {
    const rules: Approvals['rules'] = [{ tools: ['mail__*'], effect: 'ask', on_denied: 'fail' }];
    const { outcome } = await runAsking({
      approvals: { rules },
      turns: [{ calls: [mail('ann')] }],
      person: () => ({ decision: 'deny', note: 'No.' }),
    });
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'approval_denied', message: 'This call was denied by a person, so nothing ran. Reason: No.' },
    });
    const blocked = await runAsking({
      approvals: { rules: [{ tools: ['mail__*'], effect: 'deny', on_denied: 'fail' }] },
      turns: [{ calls: [mail('ann')] }],
    });
    expect(blocked.outcome.error?.code).toBe('approval_blocked');
  });

  it('an expired question is a denial, or ends the turn', async () => {
    const rule = { tools: ['mail__*'], effect: 'ask' as const, limit_s: 60 };
    const person = () => 'expired' as const;
    const { results, asked, sink } = await runAsking({ approvals: { rules: [rule] }, person });
    expect(asked[0]?.limit).toEqual({ at: (sink.of('person.asked')[0]?.at ?? 0) + 60_000, outcome: 'deny' });
    expect(results).toEqual([
      [
        'APPROVAL_DENIED',
        "Error: This call needs approval, and nobody answered within 60 s, so 'mail__send' did not run.",
      ],
    ]);
    const failing = await runAsking({
      approvals: { rules: [{ ...rule, at_limit: 'fail' }] },
      turns: [{ calls: [mail('ann')] }],
      person,
    });
    expect(failing.outcome.error?.code).toBe('approval_denied');
  });

  it('where nobody can be asked the call is denied at once, and the log says where to answer', async () => {
    const { results, tools, sink } = await runAsking({ more: { people: undefined } });
    expect(tools.calls).toEqual([]);
    expect(results[0]?.[0]).toBe('APPROVAL_DENIED');
    expect(results[0]?.[1]).toContain('Nobody can be asked in this run.');
    expect(sink.of('log').map(({ code }) => code)).toContain('nobody_to_ask');
    expect(sink.of('person.asked')).toEqual([]);
  });

  it('the modes of approval answer only calls that would have asked, in the name of the policy', async () => {
    const turns = [{ calls: [mail('ann'), { tool: 'time__now' }] }, 'done'];
    const tools = { mail__send: () => 'sent', time__now: () => 'noon' };
    const all = await runAsking({ approvals: { ...askMail, mode: 'approve_all' }, turns, tools });
    expect(all.asked).toEqual([]);
    expect(all.results.toSorted()).toEqual([
      ['ok', 'noon'],
      ['ok', 'sent'],
    ]);
    expect(all.sink.of('person.answered')).toMatchObject([
      { step: 'lead#t1', answer: { decision: 'approve', by: 'policy' } },
    ]);
    const none = await runAsking({ approvals: { ...askMail, mode: 'reject_all' }, turns, tools });
    expect(none.results.toSorted()).toEqual([
      ['APPROVAL_DENIED', "Error: This call needs approval, and nothing ran. 'approvals.mode' is reject_all."],
      ['ok', 'noon'],
    ]);
    const denied = await runAsking({
      approvals: { rules: [{ tools: ['mail__*'], effect: 'deny' }], mode: 'approve_all' },
    });
    expect(denied.results[0]?.[0]).toBe('APPROVAL_BLOCKED');
  });

  it('without settings nothing is asked, and the log is the same as without people', async () => {
    const asking = await runAsking({ approvals: {} });
    const plain = await runAsking({ approvals: {}, more: { people: undefined } });
    expect(asking.sink.events).toEqual(plain.sink.events);
    expect(asking.asked).toEqual([]);
  });

  it('a remembered approval answers, and is not asked for again', async () => {
    const first = await runAsking({});
    const [question] = first.asked;
    const grant = {
      id: 'g1',
      scope: 'project' as const,
      tool: 'mail__send',
      serverName: 'mail',
      agent: 'lead',
      schemaHash: question?.tool?.schemaHash ?? '',
      cardHash: question?.cardHash ?? '',
      argumentsHash: question?.argumentsHash ?? '',
      by: 'ann',
      at: first.sink.events[0]?.at ?? (0 as never),
    };
    const people = fakePeople(() => ({ decision: 'deny' }), [grant]);
    const { results, sink } = await runAsking({
      turns: [{ calls: [mail('ann'), mail('bo')] }, 'done'],
      more: { people, onSink: people.watch },
    });
    expect(people.asked.map(({ arguments: args }) => args)).toEqual([{ to: 'bo' }]);
    expect(results.map(([code]) => code).sort()).toEqual(['APPROVAL_DENIED', 'ok']);
    expect(
      sink
        .of('person.answered')
        .map(({ answer }) => answer?.by)
        .sort(),
    ).toEqual(['ann', 'grant']);
  });
});

describe('edited arguments', () => {
  const schema = {
    type: 'object',
    properties: { to: { type: 'string' } },
    required: ['to'],
    additionalProperties: true,
  };
  const typed = (inputSchema: object = schema) => {
    const tools = fakeTools({ mail__send: ({ to }) => `sent to ${JSON.stringify(to)}` });
    const list = tools.list.bind(tools);
    return {
      ...tools,
      async list(...given: Parameters<typeof tools.list>) {
        const listed = await list(...given);
        return { ...listed, tools: listed.tools.map((tool) => ({ ...tool, inputSchema: { ...inputSchema } })) };
      },
    };
  };

  it('run the same tool, keep hidden secrets, and tell the model what ran', async () => {
    const tools = typed();
    const { results, sink, model } = await runAsking({
      turns: [{ calls: [mail('ann', { password: 'x1' })] }, 'done'],
      person: () => ({ decision: 'edit', arguments: { to: 'bo', password: '[redacted]' } }),
      more: { tools: { mcp: tools } },
    });
    expect(tools.calls).toEqual([{ name: 'mail__send', step: 'lead#t1', args: { to: 'bo', password: 'x1' } }]);
    expect(results).toEqual([
      [
        'ok',
        `(A person changed the arguments of this call before it ran. It ran with: {"to":"bo","password":"[redacted]"})\nsent to "bo"`,
      ],
    ]);
    expect(model.requests).toHaveLength(2);
    // Both versions are recorded.
    expect(sink.of('person.asked')[0]?.arguments).toEqual({ to: 'ann', password: '[redacted]' });
    expect(sink.of('person.answered')[0]?.answer?.arguments).toMatchObject({ to: 'bo' });
  });

  it('keep integers beyond 2^53, which pages and records have as text', async () => {
    const id = 9007199254740993n;
    const schema = { type: 'object', properties: { to: { type: 'string' }, id: { type: 'integer' } } };
    for (const [sent, called] of [
      ['9007199254740993', id],
      ['9007199254740995', 9007199254740995n],
    ] as const) {
      const tools = typed(schema);
      const { sink, results } = await runAsking({
        turns: [{ calls: [{ tool: 'mail__send', arguments: `{"to":"ann","id":${id}}` }] }, 'done'],
        person: () => ({ decision: 'edit', arguments: { to: 'bo', id: sent } }),
        more: { tools: { mcp: tools } },
      });
      expect(sink.of('person.asked')[0]?.arguments).toEqual({ to: 'ann', id: String(id) });
      expect(tools.calls[0]?.args).toEqual({ to: 'bo', id: called });
      expect(results[0]?.[1]).toContain(`It ran with: {"to":"bo","id":"${sent}"}`);
    }
  });

  it('that do not fit the schema, or where no change is allowed, run nothing', async () => {
    const tools = typed();
    const wrong = await runAsking({
      person: () => ({ decision: 'edit', arguments: { to: 5 } }),
      more: { tools: { mcp: tools } },
    });
    expect(wrong.results).toEqual([
      [
        'INPUT_VALIDATION',
        "Error: A person changed the arguments of this call, but they cannot be used: 'to' must be string. It did not run.",
      ],
    ]);
    const fixed = await runAsking({
      approvals: { rules: [{ tools: ['mail__*'], effect: 'ask', edit: false }] },
      person: () => ({ decision: 'edit', arguments: { to: 'bo' } }),
      more: { tools: { mcp: tools } },
    });
    expect(fixed.asked[0]?.editable).toBeUndefined();
    expect(fixed.results[0]?.[0]).toBe('INPUT_VALIDATION');
    expect(tools.calls).toEqual([]);
  });
});

describe('a tool that changes while a person thinks', () => {
  it('asks again when its schema is another one', async () => {
    const tools = fakeTools({ mail__send: () => 'sent' });
    let description = 'Sends mail.';
    let version = 1;
    const changing = {
      ...tools,
      version: () => version,
      async list(...given: Parameters<typeof tools.list>) {
        const listed = await tools.list(...given);
        return { ...listed, tools: listed.tools.map((tool) => ({ ...tool, description })) };
      },
    };
    const { asked, results } = await runAsking({
      person: () => {
        if (description === 'Sends mail.') {
          description = 'Sends mail to everybody.';
          version += 1;
        }
        return {};
      },
      more: { tools: { mcp: changing } },
    });
    expect(asked).toHaveLength(2);
    expect(asked[0]?.tool?.schemaHash).not.toBe(asked[1]?.tool?.schemaHash);
    expect(results).toEqual([['ok', 'sent']]);
  });

  it('that is gone is told to the model', async () => {
    const tools = fakeTools({ mail__send: () => 'sent' });
    let version = 1;
    const leaving = {
      ...tools,
      version: () => version,
      list: (...given: Parameters<typeof tools.list>) =>
        version === 1 ? tools.list(...given) : Promise.resolve({ tools: [], issues: [] }),
    };
    const { results } = await runAsking({
      person: () => {
        version += 1;
        return {};
      },
      more: { tools: { mcp: leaving } },
    });
    expect(results).toEqual([
      [
        'UNKNOWN_TOOL',
        "Error: Tool 'mail__send' was approved, but it is not available any more. Do the task without it.",
      ],
    ]);
    expect(tools.calls).toEqual([]);
  });
});
