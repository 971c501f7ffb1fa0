import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCallboard } from '@/lib/testing/callboard';
import { startFakeOpenAI } from '@/lib/testing/fake-openai';
import { writeServer } from '@/lib/testing/mcp-servers';

/** A run with a server of 100 tools over stdio and a model over HTTP. */

let root = '';
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-find-'));
  await mkdir(path.join(root, 'agent-cards'));
  await writeFile(path.join(root, 'agent-cards/lead.md'), '---\nname: lead\nservers: [shop]\n---\nLead.\n');
  await writeFile(path.join(root, 'fast-agent.yaml'), 'mcp:\n  servers:\n    shop: { target: "node server.mjs" }\n');
  await writeFile(path.join(root, 'callboard.yaml'), 'version: 1\nfind_tools: { enabled: true }\n');
  await writeServer(
    root,
    `for (let n = 1; n <= 99; n += 1) server.registerTool('count_' + n, { description: 'Counts shelf ' + n + '.' }, () => text(n));
server.registerTool('refund_order', { description: 'Gives money back. Ask first.', inputSchema: { order: z.string() } }, ({ order }) => text('refunded ' + order));`,
  );
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('finds one of 100 tools and calls it', async () => {
  const turns = [
    { toolCalls: [{ name: 'find_tools', arguments: { query: 'give a customer money back' } }] },
    { toolCalls: [{ name: 'shop__refund_order', arguments: { order: 'A7' } }] },
  ];
  const server = await startFakeOpenAI({
    respond: ({ number, messages }) => turns[number - 1] ?? { text: `Done: ${messages.at(-1)?.text}` },
  });
  try {
    const keys = { OPENAI_API_KEY: 'x', OPENAI_BASE_URL: server.url };
    const words = ['run', root, '--model', 'openai.m', '--message', 'Refund A7.', '--trust', '--strict'];
    const { code, stdout, stderr } = await callCallboard(words, keys);
    expect({ code, stdout: stdout.trim(), stderr }).toMatchObject({ code: 0, stdout: 'Done: refunded A7' });
    const offered = server.requests.map(({ tools }) => tools.map(({ name }) => name));
    const found = ['find_tools', 'shop__refund_order'];
    expect(offered).toEqual([['find_tools'], found, found]);
    expect(server.requests[1]?.tools[1]?.parameters).toMatchObject({ required: ['order'] });
    expect(server.requests[1]?.messages.at(-1)?.text).toContain(
      '{"description":"Gives money back.","name":"shop__refund_order"}',
    );
  } finally {
    await server.close();
  }
});
