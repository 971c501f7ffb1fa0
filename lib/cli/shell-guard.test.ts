import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A guard hook that wraps the real shell tool. */

const run = promisify(execFile);
let root: string;

const hooks = `from mcp.types import CallToolResult, TextContent


def text_content(text):
    return TextContent(type="text", text=text)


async def audit_hook(ctx, args, call_next):
    # instead: block unsafe tools
    if ctx.tool_source == "runtime" and ctx.server_name == "runtime" and ctx.tool_name == "shell.execute":
        return CallToolResult(isError=True, content=[text_content("blocked")])
    return await call_next(args)
`;

const settings = `version: 1
scripts:
  lead:
    - turns:
        - calls: [{tool: execute, arguments: {command: "echo it-$((40+2))-ran"}}]
        - text: "{{results}}"
`;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-shell-'));
  for (const [name, lines] of [
    ['bare', ''],
    ['guarded', 'tool_hooks: [hooks.py:audit_hook]\n'],
  ] as const) {
    await mkdir(path.join(root, name, 'agent-cards'), { recursive: true });
    await writeFile(
      path.join(root, name, 'agent-cards/lead.md'),
      `---\nname: lead\nshell: true\n${lines}---\nDo it.\n`,
    );
    await writeFile(path.join(root, name, 'agent-cards/hooks.py'), hooks);
    await writeFile(path.join(root, name, 'callboard.yaml'), settings);
  }
});

afterAll(() => rm(root, { recursive: true, force: true }));

async function answerOf(folder: string): Promise<string> {
  const args = ['bin/callboard.mjs', 'run', path.join(root, folder), '--message', 'Begin.', '--python'];
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, CALLBOARD_SHELL: '1' } });
  return stdout.trim();
}

describe('where an operator allows commands', () => {
  it('an agent without a guard runs them', async () => {
    expect(await answerOf('bare')).toBe('it-42-ran');
  });

  it("seed 001's audit hook stops them: it sees 'shell.execute' of 'runtime'", async () => {
    expect(await answerOf('guarded')).toBe('Error: blocked');
  });
});
