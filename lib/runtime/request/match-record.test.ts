import { expect, test } from 'vitest';
import { graphOf } from '@/lib/testing/graph-of';
import { projectOf } from '@/lib/testing/project-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { findMismatch } from './match-record';

const kid = { tool: 'agent__kid', arguments: { text: 'x' } };
const model = () => scriptedModel({ lead: [{ calls: [kid] }, { calls: [kid] }, 'end'], kid: 'kid says' });

test('another instruction and another model match, because recorded answers do not depend on them any more', async () => {
  const before = graphOf('lead > kid');
  const { log } = await runGraph({ parsed: before, model: model() });
  const now = graphOf('lead > kid', { cards: { kid: { instruction: 'Else.', model: 'other' } } });
  expect(findMismatch(log, before, now)).toBeUndefined();
});

test('the first call of an agent that is gone, or is no longer called, does not match', async () => {
  const before = graphOf('lead > kid');
  const { log } = await runGraph({ parsed: before, model: model() });
  const seq = log.find((event) => event.kind === 'tool.started')?.seq;
  expect(findMismatch(log, before, graphOf('lead'))).toEqual({
    seq,
    reason: "Agent 'kid' is no longer in the project.",
  });
  expect(findMismatch(log, before, graphOf('lead; kid'))).toEqual({
    seq,
    reason: "Agent 'lead' no longer calls 'kid'.",
  });
});

test('a workflow with other members and an agent with other hooks of phases do not match', async () => {
  const cards = { lead: 'agents: [flow]', flow: 'type: chain\nsequence: [a, b]', a: '', b: '' };
  const before = projectOf(cards, '');
  const calls = [{ tool: 'agent__flow', arguments: { text: 'x' } }];
  const { log } = await runGraph({
    parsed: before,
    model: scriptedModel({ lead: [{ calls }, 'end'], a: 'a says', b: 'b says' }),
    request: { agent: 'lead' },
  });
  const other = projectOf({ ...cards, flow: 'type: chain\nsequence: [b, a]' }, '');
  expect(findMismatch(log, before, other)?.reason).toContain("Workflow 'flow' has other members or settings");
  const check = { spec: 'hooks.py:check', file: 'hooks.py', functionName: 'check' };
  const hooks = { form: 'phases', phases: { before_llm_call: check } } as const;
  const hooked = {
    ...before,
    cards: before.cards.map((card) =>
      card.name === 'a' && card.type === 'agent' ? { ...card, toolHooks: hooks } : card,
    ),
  };
  expect(findMismatch(log, before, hooked)?.reason).toContain("Agent 'a' has other hooks of phases");
});

test('a hook of a phase that is switched off makes no step, so it is as if it were not there', async () => {
  const bare = graphOf('lead > kid');
  const begin = { spec: 'hooks.ts:begin', file: 'hooks.ts', functionName: 'begin' };
  const cards = bare.cards.map((card) =>
    card.name === 'kid' && card.type === 'agent' ? { ...card, lifecycleHooks: { on_start: begin } } : card,
  );
  const on = { ...bare, cards };
  const off = { ...on, settings: { ...on.settings, hooks_off: { kid: { on_start: begin.spec } } } };
  const { log } = await runGraph({ parsed: bare, model: model() });
  expect(findMismatch(log, bare, off)).toBeUndefined();
  expect(findMismatch(log, on, off)?.reason).toContain("Agent 'kid' has other hooks of phases");
});
