import { expect, it } from 'vitest';
import { delegationSchema } from '@/lib/cards/delegation-settings';
import { defaultSettings } from '@/lib/cards/settings';
import { graphOf } from '@/lib/testing/graph-of';
import { delegationMarks } from './marks';

function marks(options: unknown, defaults: unknown = {}): readonly string[] {
  const [lead, kid] = graphOf('lead > kid').cards;
  if (lead?.type !== 'agent' || !kid) throw new Error('lead is an agent');
  const delegation_defaults = delegationSchema.parse(defaults);
  const delegations = { lead: { kid: delegationSchema.parse(options) } };
  return delegationMarks(
    lead,
    'kid',
    { ...defaultSettings, delegations, delegation_defaults },
    new Map([['kid', kid]]),
  );
}

it('says in a few words what an edge does beyond the usual', () => {
  expect(marks({})).toEqual([]);
  expect(
    marks({ input_mode: 'text_json', session: 'none', isolation: 'clone', max_attempts: 1, cache: false }),
  ).toEqual([]);
  expect(
    marks({
      tool_name: 'ask',
      input_schema: { type: 'object' },
      output_schema: { type: 'object' },
      session: 'addressed',
      isolation: { pool: 3 },
      timeout_ms: 90_000,
      max_attempts: 2,
      recursive: true,
      skip_summarization: true,
      failure_mode: 'propagate',
      state: { isolate: true },
      history: { last: 2 },
      inherit_run_hooks: false,
    }),
  ).toEqual([
    'as ask',
    'schema',
    'checked answer',
    'sessions',
    'pool of 3',
    '≤ 90 s',
    '2 attempts',
    'recursive',
    'is the answer',
    'failure ends parent',
    'own state',
    'no run hooks',
    'history: last 2',
  ]);
});

it('counts what the project says for every edge', () => {
  expect(marks({}, { cache: true, session: 'reuse' })).toEqual(['one session', 'cached']);
  expect(marks({ cache: false }, { cache: true })).toEqual([]);
});
