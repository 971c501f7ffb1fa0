import { beforeAll, expect, test } from 'vitest';
import { POST as check } from '@/app/api/v1/check/route';
import type { Actor } from '@/lib/base/actor';
import { testDatabase } from '@/lib/testing/postgres';
import { personInBrowser, scriptRequest, tokenFor, withTokens } from '@/lib/testing/token-people';

const { url, store } = await testDatabase();
withTokens(url);

let ann: Actor;
let ben: Actor;
beforeAll(async () => {
  ann = await personInBrowser(store, 'ann@turns.example', { administrator: true });
  ben = await personInBrowser(store, 'ben@turns.example', { administrator: true });
});

/** A folder that takes a thread some tenths of a second. No two are alike, so that nothing is remembered. */
function slow(index: number): Record<string, string> {
  const properties = Array.from({ length: 4_000 }, (_, property) => `    p${property}: {$ref: x}\n`).join('');
  const card = (name: string) =>
    `---\nname: ${name}\ntool_input_schema:\n  $id: x\n  type: object\n  properties:\n${properties}---\n${index}\n`;
  return { 'a.md': card('a'), 'b.md': card('b') };
}

function asked(token: string, files: Record<string, string>, signal: AbortSignal): Promise<number> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ files }) };
  const request = scriptRequest(`Bearer ${token}`, { ...init, signal });
  return check(request, { params: Promise.resolve({}) }).then(({ status }) => status);
}

test('a check waits for no more than one of another person, and what nobody waits for is not read', async () => {
  const [hers, his] = [await tokenFor(ann, ['edit']), await tokenFor(ben, ['edit'])];
  const gone = new AbortController();
  const read: number[] = [];
  const waiting = Array.from({ length: 30 }, async (_, index) => {
    const status = await asked(hers, slow(index), gone.signal);
    if (status === 200) read.push(index);
    return status;
  });
  await expect.poll(() => read.length, { timeout: 20_000 }).toBeGreaterThan(0);
  const before = read.length;
  const small = { 'a.md': '---\nname: a\n---\nSay it.\n' };
  expect(await asked(his, small, new AbortController().signal)).toBe(200);
  expect(read.length - before).toBeLessThanOrEqual(2);
  gone.abort();
  const statuses = await Promise.all(waiting);
  expect(statuses.filter((status) => status === 200).length).toBeLessThan(15);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
});
