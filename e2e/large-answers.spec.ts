import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import { createProject, startRun, waitForEnd } from './api';
import { seriousFaults } from './pages';
import { expect, test } from './test';

/** These tests cover texts that are too long to show at once, and requests that no normal client sends. */

const letters = 1_500_000;
const large = `begin ${'word '.repeat(letters / 5)}end`;
const echo = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nmodel: passthrough\n---\nSay it again.\n',
};

test('a large answer is shown in pages, and comes whole as a file', async ({ page, baseURL }, info) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Large answer', echo);
  const run = await startRun(url, project, large);
  expect(await waitForEnd(url, run)).toBe('completed');

  await page.goto(`/r/${run}`);
  const pages = page.getByRole('navigation', { name: 'Pages of answer' });
  const total = large.length.toLocaleString('en-US');
  await expect(pages).toContainText(`1 to 20,000 of ${total} characters`);
  await pages.getByRole('button', { name: 'Next' }).click();
  await expect(pages).toContainText(`20,001 to 40,000 of ${total} characters`);
  await pages.getByRole('button', { name: 'Previous' }).click();
  await expect(pages).toContainText(`1 to 20,000 of ${total} characters`);
  expect((await page.content()).length).toBeLessThan(500_000);
  await page.screenshot({ path: info.outputPath('large-answer.png') });
  expect(await seriousFaults(page)).toEqual([]);

  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).first().click();
  const file = await readFile(await (await waiting).path(), 'utf8');
  expect(file).toBe(large);
});

test('odd methods and addresses below /_next/ are guarded answers', async ({ baseURL }) => {
  const { hostname, port, host } = new URL(baseURL ?? '');
  const ask = async (line: string, name = host) => {
    const socket = net.connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(`${line} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
    let text = '';
    for await (const chunk of socket) text += chunk;
    return { status: Number(text.split(' ')[1]), head: text.split('\r\n\r\n')[0]?.toLowerCase() ?? '' };
  };
  for (const path of ['/', '/runs', '/api/health', '/api/v1/nothing', '/_next/nothing', '/_next/static/nothing.js']) {
    const answers = [await ask(`TRACE ${path}`), await ask(`PROPFIND ${path}`), await ask(`GET ${path}`)];
    expect([path, ...answers.slice(0, 2).map(({ status }) => status)]).toEqual([path, 405, 405]);
    expect([path, (await ask(`GET ${path}`, 'evil.example')).status]).toEqual([path, 403]);
    for (const { status, head } of answers) {
      expect(status).toBeLessThan(500);
      for (const name of ['x-content-type-options', 'x-frame-options', 'content-security-policy', 'referrer-policy']) {
        expect(`${path} ${head}`).toContain(`${name}: `);
        expect(head.split(`\n${name}: `)).toHaveLength(2);
      }
    }
  }
});
