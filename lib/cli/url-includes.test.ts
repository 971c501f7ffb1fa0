import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCallboard } from '@/lib/testing/callboard';
import { startFakeOpenAI } from '@/lib/testing/fake-openai';

/** `{{url:…}}` with the real commands and a real HTTP server. */

const asked: string[] = [];
const site = http.createServer((request, response) => {
  asked.push(request.url ?? '');
  if (request.url === '/rules.md') response.end('Be kind. {{file:fast-agent.yaml}}');
  else response.writeHead(404).end();
});
let root = '';
let base = '';

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-urls-'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  site.close();
  await rm(root, { recursive: true, force: true });
});

const callboard = (args: readonly string[], modelUrl = '') =>
  callCallboard(args, { OPENAI_API_KEY: 'sk-of-the-test', OPENAI_BASE_URL: modelUrl });

async function cardSaying(instruction: string): Promise<string> {
  await writeFile(path.join(root, 'lead.md'), `---\nname: lead\nmodel: gpt-4o\n---\n${instruction}\n`);
  asked.length = 0;
  return root;
}

test('a run fetches the text once and tells the model; a check fetches nothing', async () => {
  const folder = await cardSaying(`Rules: {{url:${base}/rules.md}}`);
  const checked = await callboard(['check', folder]);
  expect([checked.code, asked]).toEqual([0, []]);

  const model = await startFakeOpenAI({ respond: () => ({ text: 'done' }) });
  const ended = await callboard(['run', folder, '--message', 'go', '--json'], model.url);
  await model.close();
  expect(ended.code).toBe(0);
  expect(asked).toEqual(['/rules.md']);
  expect(model.requests[0]?.messages[0]?.text).toBe('Rules: Be kind. {{file:fast-agent.yaml}}');
  expect(ended.stdout).toContain(`"kind":"url.fetched","url":"${base}/rules.md","text":"Be kind.`);
});

test('a run that cannot have its text does not start, and says which one', async () => {
  const folder = await cardSaying(`{{url:${base}/gone.md}}`);
  const ended = await callboard(['run', folder, '--message', 'go']);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(
    `Agent 'lead' (lead.md): {{url:${base}/gone.md}} cannot be filled in: the server answered 404. Correct the address, or remove the placeholder.`,
  );
});
