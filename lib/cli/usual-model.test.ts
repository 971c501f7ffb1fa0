import { expect, test } from 'vitest';
import { unservedModels } from '@/lib/cards/check/check-models';
import { resolveModel } from '@/lib/runtime/request/resolve-model';
import { agentCard, graphOf } from '@/lib/testing/graph-of';
import { withUsualModel, withUsualUse } from './usual-model';

const variables = { FAST_AGENT_MODEL: ' haiku ' };
const bare = graphOf('lead', { config: { defaultModel: undefined } });
const request = { model: undefined };

test('is the model of cards that name none, and yields to default_model, the run and the card', () => {
  const modelOf = (parsed: typeof bare, card = agentCard('lead'), given: { model: string | undefined } = request) =>
    resolveModel(card, withUsualModel(parsed, variables), given);
  expect(modelOf(bare)).toMatchObject({ ok: true, value: { model: 'haiku' } });
  expect(modelOf(graphOf('lead', { config: { defaultModel: 'own' } }))).toMatchObject({ value: { model: 'own' } });
  expect(modelOf(bare, undefined, { model: 'run' })).toMatchObject({ value: { model: 'run' } });
  expect(modelOf(bare, agentCard('lead', { model: 'card' }))).toMatchObject({ value: { model: 'card' } });
  expect(withUsualModel(bare, { FAST_AGENT_MODEL: ' ' })).toBe(bare);
});

test('the check looks whether anybody serves it, where a card would run on it', () => {
  const env = { variables: {}, projectEnv: {}, hasValues: true };
  const none = { models: [], providers: {} };
  const codes = (parsed: typeof bare) =>
    unservedModels(withUsualUse(none, parsed, variables), env).map(({ code, file }) => [code, file]);
  expect(codes(bare)).toEqual([['model-not-served', 'agent-cards/lead.md']]);
  expect(codes(graphOf('lead', { config: { defaultModel: undefined }, cards: { lead: { model: 'x' } } }))).toEqual([]);
  expect(codes(graphOf('lead'))).toEqual([]);
});
