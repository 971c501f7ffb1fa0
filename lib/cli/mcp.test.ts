import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import type { AppClient } from './app-client';
import { appServer, mcp, serveLines } from './mcp';
import { projectTools } from './project-tools';
import { proposalTools } from './proposal-tools';
import { runTools } from './run-tools';

async function printed(...args: string[]): Promise<{ readonly code: number; readonly text: string }> {
  const written: string[] = [];
  const keep = (chunk: unknown) => written.push(String(chunk)) > 0;
  const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(keep));
  const code = await mcp(args);
  for (const spy of spies) spy.mockRestore();
  return { code, text: written.join('') };
}

test('the skill is printed, and names the tools that there are and no others', async () => {
  const { code, text } = await printed('--skill');
  expect(code).toBe(0);
  expect(text).toMatch(/^---\nname: callboard\ndescription: .+\n---\n/);
  const tools = new Set([...projectTools, ...proposalTools, ...runTools].map(({ name }) => name));
  const named = new Set([...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name));
  // These are of the server of a project.
  for (const other of ['get_run_result', 'run_id']) expect(named.delete(other)).toBe(true);
  expect([...named].filter((name) => !tools.has(name ?? ''))).toEqual([]);
  expect([...tools].filter((name) => !named.has(name))).toEqual([]);
});

test('arguments that mcp does not know are refused with its usage', async () => {
  expect(await printed('--skills')).toEqual({ code: 2, text: 'Usage: callboard mcp [--skill]\n' });
});

/** Sends calls as lines, and returns the lines of the answers. */
async function answersTo(...calls: readonly (readonly [id: string, tool: string, args: string])[]) {
  const asked: string[] = [];
  const client: AppClient = {
    send: async (path) => {
      asked.push(path);
      return Response.json({ ok: true });
    },
  };
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveLines(
    appServer(() => client),
    input,
    output,
  );
  const told: string[] = [];
  const all = new Promise<void>((resolve) => {
    output.on('data', (chunk: Buffer) => {
      told.push(
        ...chunk
          .toString()
          .split('\n')
          .filter((line) => line !== ''),
      );
      if (told.length === calls.length) resolve();
    });
  });
  for (const [id, name, args] of calls) {
    input.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args}}}\n`);
  }
  await all;
  input.end();
  await served;
  return { asked, told };
}

test('integers beyond 2^53 keep their digits, in arguments and as the id of a request', async () => {
  const { asked, told } = await answersTo([
    '9007199254740993',
    'query_runs',
    '{"filter": {"metadata.order": 9007199254740993}}',
  ]);
  expect(asked).toEqual(['/api/v1/runs?metadata.order=9007199254740993&limit=20']);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('"id":9007199254740993');
});

test.each([
  ['read_run', '{"run": 5}', 'run: Use a text.'],
  ['read_run', '{"run": "a b"}', 'run: Give the id of a run.'],
  ['query_runs', '{"limit": 101}', 'limit: Use a number of at most 100.'],
  [
    'query_runs',
    '{"projct": "x"}',
    "There is no argument 'projct'. Did you mean 'project'? Known: project, filter, limit, after.",
  ],
  ['compare_versions', '{"project": "p", "before": [], "after": {}}', 'before: Use an object.'],
  ['compare_versions', '{"project": "p", "before": {"tag": 1}, "after": {}}', "before: There is no argument 'tag'."],
  ['read_runs', '{}', "There is no tool 'read_runs'. Did you mean 'read_run'?"],
])('a call that cannot be made asks nothing and says why in a sentence: %s %s', async (tool, args, sentence) => {
  const { asked, told } = await answersTo(['1', tool, args]);
  expect(asked).toEqual([]);
  expect(JSON.parse(told[0] ?? '')).toMatchObject({
    id: 1,
    result: { isError: true, content: [{ text: expect.stringContaining(sentence) }] },
  });
});
