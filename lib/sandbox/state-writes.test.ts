import { expect, test } from 'vitest';
import type { Json } from '@/lib/base/json';
import { callState } from '@/lib/runtime/state/call-state';
import { codeCard } from '@/lib/testing/code-card';
import { callContext } from '@/lib/testing/mcp-servers';
import { createCodeHosts } from './code-hosts';
import { writeState } from './state-writes';

test('a function tool writes state beside its result; a bad key makes the call an error', async () => {
  const { folder, card } = codeCard('function_tools: [t.ts:plan]', {
    't.ts': `export function plan(key: string) {
      return { content: [{ type: 'text', text: 'planned' }], _meta: { 'callboard/state': { [key]: ['a'], n: 1 } } };
    }`,
  });
  const hosts = createCodeHosts({ folder, python: { enabled: false, interpreter: 'python3' } });
  try {
    const { tools } = await hosts.tools.list(card, new AbortController().signal);
    const [plan] = tools;
    if (!plan) throw new Error('no tool');
    const state = callState({ before: true });
    const result = await hosts.tools.call(plan, { key: 'plan' }, callContext({ state }));
    expect(result).toEqual({ content: [{ type: 'text', text: 'planned' }], isError: false });
    expect(state.written).toEqual({ plan: ['a'], n: 1 });
    const refused = await hosts.tools.call(plan, { key: 'a/b' }, callContext({ state: callState({}) }));
    expect(refused).toMatchObject({ isError: true, errorCode: 'STATE_WRITE_DENIED' });
  } finally {
    await hosts.close();
  }
});

test('what says nothing of state writes none', () => {
  const state = { values: () => ({}), write: () => 'never asked' };
  const others: readonly Json[] = [null, 'text', [1], { a: 1 }, { _meta: 3 }, { _meta: { 'callboard/state': 'x' } }];
  for (const returned of others) {
    expect(writeState(returned, state)).toBeUndefined();
  }
});
