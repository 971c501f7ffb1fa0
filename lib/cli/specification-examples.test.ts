import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { callCallboard } from '@/lib/testing/callboard';
import { hasPython } from '@/lib/testing/test-code-hosts';

/** The examples of the two specifications that the product began with, as a person would write them: hooks, and agents as tools. */

const data = mkdtempSync(path.join(tmpdir(), 'callboard-specification-'));
afterAll(() => rmSync(data, { recursive: true }));
let folder = '';
let count = 0;
beforeEach(() => {
  folder = path.join(data, `folder-${++count}`);
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}
const callboard = (...args: string[]) => callCallboard(args, { CALLBOARD_DATA: data });

describe('hooks of tools', () => {
  const fields = `type: agent
name: Office
default: true
function_tools:
  - tools.py:add_one
agents:
  - Berlin
  - Oslo
tool_hooks:
  - hooks.py:guard
history_source: none
history_merge_target: none
max_parallel: 128
child_timeout_sec: 120
max_display_instances: 20`;
  const script = [
    {
      turns: [
        {
          calls: [
            { tool: 'add_one', arguments: { x: 40 } },
            { tool: 'agent__Berlin', arguments: { text: 'bridges' } },
            { tool: 'agent__Berlin', arguments: { text: 'trams' } },
            { tool: 'agent__Oslo', arguments: { text: 'budget' } },
          ],
        },
        { text: '{{results}}' },
      ],
    },
  ];
  const child = (name: string) => `---\ntype: agent\nname: ${name}\n---\nReport on ${name}.\n`;

  it.skipIf(!hasPython())(
    'function tools, children and a hook round both, typed and in a file with an agent',
    async () => {
      await write({
        'agent-cards/Office.md': `---\n${fields}\n---\nSum up the reports.\n`,
        'agent-cards/Berlin.md': child('Berlin'),
        'agent-cards/Oslo.md': child('Oslo'),
        'agent-cards/tools.py': 'def add_one(x: int) -> int:\n    return x + 1\n',
        'agent-cards/hooks.py': `from fast_agent import FastAgent
from fast_agent.agents.tool_hooks import ToolCallArgs, ToolCallFn, ToolHookContext

fast = FastAgent("Office")


async def guard(ctx: ToolHookContext, args: ToolCallArgs, call_next: ToolCallFn) -> CallToolResult:
    if ctx.tool_name.endswith("add_one"):
        args = {"x": min(args["x"], 9)}
    if ctx.tool_source == "agent" and ctx.tool_name == "agent__Oslo":
        return CallToolResult(isError=True, content=[text_content("closed today")])
    result = await call_next(args)
    result.content.append(text_content(f"[seen: {ctx.tool_source}]"))
    return result


@fast.agent(name="Office", tool_hooks=[guard], default=True)
async def main() -> None:
    async with fast.run() as agent:
        await agent("Sum up")
`,
        'callboard.yaml': JSON.stringify({
          version: 1,
          scripts: { Office: script, Berlin: [{ turns: [{ text: 'Berlin is on time.' }] }] },
        }),
      });
      const checked = await callboard('check', folder, '--python', '--load');
      expect([checked.code, checked.stdout]).toEqual([
        0,
        expect.stringContaining('3 cards, 0 errors, 1 warnings and notes'),
      ]);
      const ended = await callboard('run', folder, '--message', 'Sum up', '--python', '--trust');
      expect(ended.code).toBe(0);
      expect(ended.stdout.match(/\[seen: agent\]/g)).toHaveLength(2);
      for (const text of ['10', '[seen: function]', 'Berlin is on time.', 'closed today'])
        expect(ended.stdout).toContain(text);
    },
  );
});

describe('agents as tools', () => {
  /** A coordinator whose child is a tool with a name, a description, a session in files and questions that it hands on. */
  const files = (edge: object) => ({
    'agent-cards/Coordinator.md': '---\nname: Coordinator\ndefault: true\nagents: [Expert]\n---\nAsk the expert.\n',
    'agent-cards/Expert.md': '---\nname: Expert\nfunction_tools: ["tools.ts:remove"]\n---\nYou are an expert.\n',
    'agent-cards/tools.ts': 'export function remove(id: number) { return "removed " + id; }\n',
    'callboard.yaml': JSON.stringify({
      version: 1,
      enable_sub_agent_hitl: { Coordinator: true },
      delegations: {
        Coordinator: {
          Expert: { tool_name: 'ask_expert', description: 'Consult the expert', session: 'addressed', ...edge },
        },
      },
      approvals: { rules: [{ tools: ['remove'], effect: 'ask' }] },
      scripts: {
        Coordinator: [
          { turns: [{ calls: [{ tool: 'ask_expert', arguments: { text: 'clean up' } }] }, { text: '{{result}}' }] },
        ],
        Expert: [{ turns: [{ calls: [{ tool: 'remove', arguments: { id: 1 } }] }, { text: '{{result}}' }] }],
      },
    }),
  });
  const call = async (...args: string[]) => {
    const state = path.join(folder, '..', `state-${count}.json`);
    const { stdout, stderr } = await callboard('call', folder, '--state', state, '--trust', ...args);
    return stdout === '' ? stderr : JSON.parse(stdout);
  };

  it('a suspended child is confirmed, or declined, in a loop until nothing is suspended', async () => {
    for (const declines of [false, true]) {
      folder = path.join(data, `folder-${++count}`);
      await write(files({ enable_hitl: true, forward_events: true }));
      let reply = await call('--message', 'go');
      const sessions: string[] = [];
      while (reply.reason === 'TOOL_SUSPENDED') {
        for (const { id, name, content, meta } of reply.results) {
          expect([name, meta.subagent_generate_reason]).toEqual(['ask_expert', 'APPROVAL_NEEDED']);
          sessions.push(meta.subagent_session_id);
          const pending = content.filter(({ type }: { type: string }) => type === 'tool_use');
          const results = pending.map((one: { id: string }) => ({ id: one.id, declined: true }));
          await writeFile(path.join(data, 'answers.json'), JSON.stringify({ [id]: results }));
        }
        reply = await call(...(declines ? ['--submit', path.join(data, 'answers.json')] : []));
      }
      expect(reply.status).toBe('completed');
      expect(reply.text).toContain(declines ? 'Operation cancelled' : 'removed 1');
      // The parent reads the session, to go on with the same conversation.
      expect(reply.text).toContain(`session_id: ${sessions[0]}`);
    }
  });

  it('without enable_hitl the child goes on without the call, and the parent reads why', async () => {
    await write(files({ enable_hitl: false }));
    const reply = await call('--message', 'go');
    expect(reply).toMatchObject({ status: 'completed', reason: 'MODEL_STOP', results: [] });
    expect(reply.text).toMatch(/^session_id: \S+/);
    expect(reply.text).not.toContain('removed');
  });
});
