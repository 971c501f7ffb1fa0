import { expect, test } from 'vitest';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
import { testCodeHosts, textsOf } from '@/lib/testing/test-code-hosts';
import { hasSpareThread, keepSpareThread } from './js-sandbox';

const hostsOf = testCodeHosts(createCodeHosts, 'without python');
const files = {
  'tools.ts': `
    export function keep(text: string): string { (globalThis as any).kept = text; return text; }
    export function kept(): string { return String((globalThis as any).kept); }
  `,
};

test('a run takes the thread that was started before, and finds nothing of other runs in it', async () => {
  keepSpareThread();
  const first = hostsOf('function_tools: [tools.ts:keep, tools.ts:kept]', files);
  expect(hasSpareThread()).toBe(false);
  expect(textsOf(await first.call('keep', { text: 'mine' }))).toEqual(['mine']);
  await expect.poll(hasSpareThread).toBe(true);
  const second = hostsOf('function_tools: [tools.ts:kept]', files);
  const answer = second.call('kept', {});
  await expect.poll(hasSpareThread).toBe(false);
  expect(textsOf(await answer)).toEqual(['undefined']);
  await expect.poll(hasSpareThread).toBe(true);
});
