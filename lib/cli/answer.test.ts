import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test, vi } from 'vitest';
import { readAnswer } from './answer';
import { AppRefusal, openAppClient } from './app-client';
import { listPending } from './pending';

const folder = mkdtempSync(path.join(tmpdir(), 'callboard-answer-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the words of the command become an answer', async () => {
  const file = path.join(folder, 'args.json');
  writeFileSync(file, '{"to": "eve"}');
  const bodyOf = async (...args: string[]) => (await readAnswer(['5f', ...args])).body;
  expect(await bodyOf('approve', '--remember', 'run')).toEqual({ decision: 'approve', remember: { scope: 'run' } });
  expect(await bodyOf('deny', '--note', 'No.')).toEqual({ decision: 'deny', note: 'No.' });
  expect(await bodyOf('edit', '--args', file)).toEqual({ decision: 'edit', arguments: { to: 'eve' } });
  expect(await bodyOf('answer', '--args', file)).toEqual({ decision: 'answer', content: { to: 'eve' } });
  writeFileSync(file, '{"id": 9007199254740995}');
  expect(await bodyOf('edit', '--args', file)).toEqual({ decision: 'edit', arguments: { id: '9007199254740995' } });
  expect(await bodyOf('answer', '--text', 'Monday')).toEqual({ decision: 'answer', content: 'Monday' });
  await expect(bodyOf('maybe')).rejects.toThrow('Usage: callboard answer ID');
  await expect(bodyOf('approve', '--remember', 'ever')).rejects.toThrow('give run, session, agent, project');
});

test('open questions are listed from every page, with the token, and a refusal is its sentence', async () => {
  const item = (id: string) => ({
    ...{ id, kind: 'approval', status: 'open', run: 'r', project: 'p', projectName: 'Mail', path: 'lead' },
    ...{ step: 's', sentence: `Send ${id}`, askedAt: 0 },
  });
  const asked: unknown[] = [];
  const app = http.createServer(async (request, response) => {
    asked.push([request.method, request.url, request.headers.authorization, await text(request)]);
    if (request.method === 'POST') {
      response.writeHead(409).end(JSON.stringify({ error: { code: 'conflict', message: 'ana was first.' } }));
      return;
    }
    const isFirst = request.url?.includes('after=') === false;
    response.end(JSON.stringify({ items: [item(isFirst ? 'a' : 'b')], next: isFirst ? 'more' : null, open: 2 }));
  });
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  const client = openAppClient(`http://127.0.0.1:${(app.address() as AddressInfo).port}`, 'secret');
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
  const query = new URLSearchParams({ project: 'p' });
  await listPending(client, { query, json: false, watch: false }, new AbortController().signal);
  write.mockRestore();
  const refusal = client.send('/api/v1/pending/a/answer', { body: { decision: 'deny' } });
  await expect(refusal).rejects.toThrow(new AppRefusal(409, 'ana was first.'));
  app.close();
  expect(written).toEqual([
    'a  approval  1970-01-01T00:00:00.000Z  Mail  lead  Send a\n',
    'b  approval  1970-01-01T00:00:00.000Z  Mail  lead  Send b\n',
  ]);
  expect(asked).toEqual([
    ['GET', '/api/v1/pending?project=p&limit=500', 'Bearer secret', ''],
    ['GET', '/api/v1/pending?project=p&limit=500&after=more', 'Bearer secret', ''],
    ['POST', '/api/v1/pending/a/answer', 'Bearer secret', '{"decision":"deny"}'],
  ]);
});
