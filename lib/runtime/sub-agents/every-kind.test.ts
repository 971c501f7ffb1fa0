import { describe, expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import type { Settings } from '@/lib/cards/settings';
import type { AskedByServer } from '@/lib/runtime/ports';
import { type ProgramOptions, programOf } from '@/lib/testing/agent-run';
import { checkLog } from '@/lib/testing/check-log';
import type { FakeTool } from '@/lib/testing/fake-tools';
import type { TestCall, TestScript } from '@/lib/testing/scripted-model';
import { agent, send } from '@/lib/testing/stints-of';
import { lookup, stopping, textsOf } from '@/lib/testing/suspending-kid';
import { answeredWith, approved, declined, edited, type InnerResult } from './sub-agent-result';

/** Who asks: the root agent, its child, or the child of that. Each calls the next one. */
const levels = ['lead', 'kid', 'deep'] as const;
type Level = (typeof levels)[number];
const pathOf = { lead: 'lead', kid: 'lead/kid[1]', deep: 'lead/kid[1]/deep[1]' } as const;
const below = { lead: 'kid', kid: 'deep', deep: 'leaf' } as const;

type Given = Omit<ProgramOptions, 'graph' | 'scripts'>;

/** A server's tool that asks one question, and says how it ended. It is called again after a suspension. */
const asking =
  (question: AskedByServer): FakeTool =>
  async (_, { ask }) => {
    const end = await ask?.(question);
    if (end?.outcome !== 'answered') return end?.outcome ?? 'nobody';
    return JSON.stringify(end.answer.content ?? end.answer.arguments ?? end.answer.decision);
  };
const accountForm = { type: 'object', properties: { account: { type: 'string' } }, required: ['account'] };
const bank = { serverName: 'bank', message: 'Which account?' };

/** What an agent does that makes it ask, by kind. */
const kinds: Readonly<Record<string, (level: Level) => Given & { readonly calls: readonly TestCall[] }>> = {
  approval: () => ({ calls: [send('Ann')] }),
  external: () => ({ calls: [lookup('x')] }),
  input: (level) => ({
    calls: [{ tool: '__human_input', arguments: { message: 'Which quarter?' } }],
    cards: { [level]: { humanInput: true } },
  }),
  'hook before calls': (level) => ({
    calls: [{ tool: 'work' }],
    hooks: { [level]: { after_llm_call: stopping() } },
  }),
  'hook after calls': (level) => ({
    calls: [{ tool: 'work' }],
    hooks: { [level]: { after_tool_call: stopping() } },
  }),
  question: () => ({
    calls: [{ tool: 'bank__ask' }],
    tools: { bank__ask: asking({ what: 'question', server: bank, form: accountForm }) },
  }),
  address: () => ({
    calls: [{ tool: 'bank__ask' }],
    tools: { bank__ask: asking({ what: 'question', server: { ...bank, url: 'https://bank.example/' } }) },
  }),
  sampling: () => ({
    calls: [{ tool: 'bank__ask' }],
    tools: {
      bank__ask: asking({
        what: 'sampling',
        server: { ...bank, shows: 'prompt' },
        arguments: { prompt: 'Sum up.' },
        editable: true,
      }),
    },
  }),
  attachment: (level) => ({
    calls: [{ tool: `agent__${below[level]}`, arguments: { text: 'read', attachments: ['a.txt'] } }],
    folder: folderOf({ 'a.txt': 'A' }),
    settings: { approvals: { attachments: 'ask' } },
  }),
};

/** `level` makes the calls of a kind, and each agent above it calls the next one. */
function programFor(kind: string, level: Level, more: Given = {}) {
  const { calls, ...given } = kinds[kind]?.(level) ?? { calls: [] };
  const delegations: Settings['delegations'] = Object.fromEntries(
    levels.map((one) => [one, { [below[one]]: { enable_hitl: true, attachments: { max: 4 } } }]),
  );
  const scripts: Record<string, TestScript> = {};
  for (const one of levels) {
    const asks = one === level;
    scripts[one] = [{ text: 'I need this.', calls: asks ? calls : [agent(below[one])] }, `${one} is done`];
    if (asks) scripts[below[one]] = 'read it';
    if (asks) break;
  }
  return programOf({
    graph: 'lead > kid; kid > deep; deep > leaf',
    scripts,
    ...given,
    ...more,
    settings: { delegations, ...given.settings, ...more.settings },
  });
}

/** Decides the only question of a program in a new process, and returns how it went on. */
async function decided(program: ReturnType<typeof programFor>, decide: (call: { id: string }) => InnerResult | 'none') {
  const first = await program.call();
  expect(first.status).toBe('suspended');
  program.restart();
  const [result, ...others] = program.run.suspended();
  expect(others).toEqual([]);
  const [id = ''] = result?.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])) ?? [];
  const decision = decide({ id: id === '' ? (result?.items[0] ?? '') : id });
  if (decision !== 'none') program.run.submitResults(result?.id ?? '', [decision]);
  program.restart();
  const reply = await program.call();
  checkLog(program.run.log);
  return reply;
}

/**
 * What the agent that asked reads as the result of its call, for each decision. `refused` is the sentence for a decision that the
 * question does not take.
 */
const table: readonly (readonly [kind: string, decision: 'answer' | 'deny' | 'edit' | 'approve', says: RegExp])[] = [
  ['approval', 'approve', /^sent to Ann$/],
  ['approval', 'edit', /sent to Ben/],
  ['approval', 'deny', /denied by a person.*Reason: No\./],
  ['approval', 'answer', /denied by a person.*Reason: Q3/],
  ['external', 'answer', /^Q3$/],
  ['external', 'deny', /did not answer\. Reason: No\./],
  ['input', 'answer', /^Q3$/],
  ['input', 'deny', /did not answer\. Reason: No\./],
  ['hook before calls', 'approve', /^worked$/],
  ['hook before calls', 'answer', /^Q3$/],
  ['hook before calls', 'deny', /^No\.$/],
  ['hook after calls', 'approve', /^worked$/],
  ['hook after calls', 'answer', /^worked$/],
  ['question', 'answer', /^\{"account":"Q3"\}$/],
  ['question', 'deny', /^"deny"$/],
  ['address', 'approve', /^"approve"$/],
  ['address', 'deny', /^"deny"$/],
  ['sampling', 'approve', /^"approve"$/],
  ['sampling', 'edit', /^\{"to":"Ben"\}$/],
  ['sampling', 'deny', /^"deny"$/],
  ['attachment', 'approve', /read it/],
  ['attachment', 'deny', /file 'a\.txt' was denied by a person.*Reason: No\./],
];
const decisions = {
  answer: (call: { id: string }) => answeredWith(call, 'Q3'),
  deny: (call: { id: string }) => declined(call, 'No.'),
  edit: (call: { id: string }) => edited(call, { to: 'Ben' }),
  approve: (call: { id: string }) => approved(call),
};

describe.each(levels)('a program decides what %s asks', (level) => {
  it.each(table)('%s: %s', async (kind, decision, says) => {
    const program = programFor(kind, level);
    const reply = await decided(program, decisions[decision]);
    expect([reply.status, reply.text]).toEqual(['completed', 'lead is done']);
    expect(textsOf(program.run.log, pathOf[level])[0]).toMatch(says);
  });

  it.each([
    ['external', 'edit', /It is 'edit', but this question takes 'answer', 'deny'\./],
    ['external', 'approve', /It is 'approve', but this question takes 'answer', 'deny'\./],
    ['input', 'edit', /It is 'edit', but/],
    ['input', 'approve', /It is 'approve', but/],
    ['hook before calls', 'edit', /A hook stopped before this call, so its arguments cannot be changed\./],
    ['hook after calls', 'edit', /It is 'edit', but this question takes 'approve', 'answer', 'deny'\./],
    ['question', 'edit', /It is 'edit', but this question takes 'answer', 'deny', 'cancel'\./],
    ['address', 'edit', /It is 'edit', but this question takes 'approve', 'deny', 'cancel'\./],
    ['attachment', 'edit', /It is 'edit', but this question takes 'approve', 'deny'\./],
  ] as const)('%s: %s is refused with a sentence, and the question stays', async (kind, decision, says) => {
    const program = programFor(kind, level);
    await expect(decided(program, decisions[decision])).rejects.toThrow(says);
    expect(program.run.suspended()).toHaveLength(1);
  });

  it('a hook that stopped after calls: declined, the turn ends with the reason', async () => {
    const program = programFor('hook after calls', level);
    const reply = await decided(program, decisions.deny);
    const ended = program.run.log.find((event) => event.kind === 'instance.ended' && event.path === pathOf[level]);
    expect(ended).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('Reason: No.') } });
    expect(reply.status).toBe(level === 'lead' ? 'failed' : 'completed');
  });

  it.each([
    ['deny', 'completed', /nobody answered within 60 s, so 'box__send' did not run/],
    ['fail', 'failed', /nobody answered within 60 s/],
  ] as const)('an approval expires: %s', async (at_limit, status, says) => {
    const rules = [{ tools: ['box__*'], effect: 'ask' as const, limit_s: 60, at_limit }];
    const program = programFor('approval', level, { settings: { approvals: { rules } } });
    await program.call();
    const [result] = program.run.suspended();
    const [call] = result?.content.flatMap((block) => (block.type === 'tool_use' ? [block] : [])) ?? [];
    expect(call?.limit).toEqual({ at: 60_000, outcome: at_limit });
    await program.clock.advance(60_000);
    expect(() => program.run.submitResults(result?.id ?? '', [approved({ id: call?.id ?? '' })])).toThrow(
      `'${call?.id}' has expired: nobody decided in time. Go on without a result for it.`,
    );
    const reply = await program.call();
    expect(textsOf(program.run.log, pathOf[level])[0]).toMatch(says);
    expect(program.sent).toEqual([]);
    if (level === 'lead') expect(reply.status).toBe(status);
    checkLog(program.run.log);
  });

  it('a server that waits for its answer gets a refusal at once, because the run could not be suspended', async () => {
    const ask = asking({ what: 'question', server: { ...bank, waits: true }, form: accountForm });
    const program = programFor('question', level, { tools: { bank__ask: ask } });
    expect(await program.call()).toMatchObject({ status: 'completed', text: 'lead is done' });
    expect(textsOf(program.run.log, pathOf[level])).toEqual(['"deny"']);
  });
});

describe('a spent budget', () => {
  const spending = (limits: object) =>
    programOf({
      scripts: { lead: [{ calls: [{ tool: 'work' }] }, { calls: [{ tool: 'work' }] }, 'over'], kid: 'done' },
      settings: { limits: { when_spent: 'ask', max_tokens: 20, ...limits } },
    });

  it.each([
    ['approve', decisions.approve, 'completed'],
    ['answer', (call: { id: string }) => answeredWith(call, '{"raise":500}'), 'completed'],
    ['deny', decisions.deny, 'failed'],
    ['a text in place of consent', decisions.answer, 'failed'],
  ] as const)('is the question of the run: %s', async (_, decide, status) => {
    const program = spending({});
    let reply = await decided(program, decide);
    if (status === 'completed') while (reply.status === 'suspended') reply = await program.call();
    expect(reply.status).toBe(status);
  });
});
