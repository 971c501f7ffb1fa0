import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCallboard } from '@/lib/testing/callboard';

/** Cards at addresses, with the real commands and a real HTTP server. */

const cards: Readonly<Record<string, string>> = {
  '/lead.md': '---\nname: lead\nmodel: passthrough\n---\nLead.\n',
  '/server.md':
    '---\nname: lead\nmodel: passthrough\nmcp_connect:\n  - target: https://tools.example/mcp\n    name: tools\n---\nLead.\n',
  '/tool.md': '---\nname: lead\nmodel: passthrough\nfunction_tools: ["tools.ts:add"]\n---\nLead.\n',
  '/broken.yaml': 'name: [\n',
  '/page.md': '<!DOCTYPE html><html></html>',
  '/long.md': 'x'.repeat(300 * 1024),
};
const site = http.createServer((request, response) => {
  const { url = '' } = request;
  if (url === '/moved.md') response.writeHead(302, { location: 'http://10.1.2.3/lead.md' }).end();
  else if (cards[url] === undefined) response.writeHead(404).end();
  else response.end(cards[url]);
});
let data = '';
let base = '';

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'callboard-addresses-'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  site.close();
  await rm(data, { recursive: true, force: true });
});

const callboard = (...args: string[]) => callCallboard(args, { CALLBOARD_DATA: data });
/** The commands that take a folder, with what they need else. */
const commands = (address: string) =>
  [
    ['check', address],
    ['run', address, '--message', 'Hello'],
    ['call', address, '--state', path.join(data, 'run.json'), '--message', 'Hello'],
    ['trust', address],
  ] as const;

test('a card at an address is checked, run, called and looked at as one in a folder', async () => {
  const [check, run, call, trust] = commands(`${base}/lead.md`);
  expect(await callboard(...check)).toMatchObject({ code: 0, stdout: '1 cards, 0 errors, 0 warnings and notes\n' });
  expect(await callboard(...run)).toMatchObject({ code: 0, stdout: 'Hello\n' });
  const called = await callboard(...call);
  expect([called.code, JSON.parse(called.stdout)]).toMatchObject([0, { status: 'completed', text: 'Hello' }]);
  expect(await callboard(...trust)).toMatchObject({ code: 0, stdout: expect.stringContaining('starts no program') });
});

test('problems of the card are reported with its name, or with its address beside others', async () => {
  expect(await callboard('check', `${base}/broken.yaml`)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^broken\.yaml:\d+:\d+ error /),
  });
  expect(await callboard('check', `${base}/tool.md`)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('tools.ts'),
  });
  expect(await callboard('check', `${base}/lead.md`, `${base}/broken.yaml`)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`${base}/broken.yaml:`),
  });
});

test('what cannot be read says why and what to do, in each command alike', async () => {
  const next = 'Check the address, or download the card and name its folder.';
  for (const [address, sentence] of [
    [`${base}/gone.md`, `The card at ${base}/gone.md cannot be read: the server answered 404. ${next}\n`],
    [`${base}/long.md`, `The card at ${base}/long.md cannot be read: it has more than 262144 bytes. ${next}\n`],
    [
      `${base}/moved.md`,
      `The card at ${base}/moved.md cannot be read: '10.1.2.3' is a private address. An operator allows it with CALLBOARD_ALLOW_PRIVATE_URLS. ${next}\n`,
    ],
    [
      'https://10.1.2.3/lead.md',
      `The card at https://10.1.2.3/lead.md cannot be read: '10.1.2.3' is a private address. An operator allows it with CALLBOARD_ALLOW_PRIVATE_URLS. ${next}\n`,
    ],
    [
      'http://cards.example/lead.md',
      "'http://cards.example/lead.md' cannot be read. A card is read at an https address; download it, or name its folder.\n",
    ],
    [
      'hf://cards/lead.md',
      "'hf://cards/lead.md' cannot be read. A card is read at an https address; download it, or name its folder.\n",
    ],
    [`${base}/`, `'${base}/' is no address of a card. It must end in .md, .yaml or .yml; name each card by itself.\n`],
    [`${base}/page.md`, `The server answers ${base}/page.md with a web page. Name the address of the text itself.\n`],
    ['https://', "'https://' is no address. Check it.\n"],
  ] as const) {
    for (const command of commands(address)) {
      expect(await callboard(...command)).toEqual({ code: 2, stdout: '', stderr: sentence });
    }
  }
});

test('without a terminal, a card from an address starts and calls nothing that nobody confirmed', async () => {
  const [, run, call] = commands(`${base}/server.md`);
  for (const command of [run, call]) {
    const ended = await callboard(...command);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('https://tools.example/mcp');
    expect(ended.stderr).toContain(
      'Nothing was started. Look at the card, then confirm it once in a terminal or add --trust.',
    );
  }
});
