import { expect, test, vi } from 'vitest';
import { mcp } from './mcp';
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
