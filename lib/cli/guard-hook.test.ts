import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeOpenAI } from '@/lib/testing/fake-openai';

/** A typical hook for fast-agent, in its home folder: it guards a tool card over several calls of a turn. */

const launcher = path.resolve(import.meta.dirname, '../../bin/callboard.mjs');
const hook = `from __future__ import annotations

import json
from typing import TYPE_CHECKING

from fast_agent.core.logging.logger import get_logger

if TYPE_CHECKING:
    from fast_agent.hooks.hook_context import HookContext

logger = get_logger(__name__)


def budget_of(ctx: "HookContext") -> int:
    for message in reversed([*ctx.message_history, *ctx.runner.delta_messages]):
        if message.role == "user" and message.content:
            return json.loads(message.content[0].text)["budget"]
    return 9


async def guard(ctx: "HookContext") -> None:
    if ctx.hook_type != "before_tool_call" or not ctx.message.tool_calls:
        return
    counted = getattr(ctx.runner, "_counted", set())
    for call_id, call in ctx.message.tool_calls.items():
        if call.params.name == "plus":
            logger.warning("Corrected a name", data={"id": call_id})
            call.params.name = "add"
        numbers = call.params.arguments
        key = (numbers["a"], numbers["b"])
        if key in counted:
            call.params.arguments = {"a": 0, "b": 0}
        elif len(counted) >= budget_of(ctx):
            numbers["a"], numbers["b"] = -1, 0
        counted.add(key)
    ctx.runner._counted = counted
`;
const files: Readonly<Record<string, string>> = {
  '.fast-agent/agent-cards/lead.md': '---\nname: lead\nmodel: openai.m\nagents: [sums]\n---\nLead.\n',
  '.fast-agent/tool-cards/sums.md':
    '---\nname: sums\ntool_only: true\nmodel: openai.m\nuse_history: false\nskills: []\nfunction_tools: [../tools/sums.py:add]\ntool_hooks:\n  before_tool_call: ../hooks/guard.py:guard\ntool_input_schema:\n  type: object\n  properties:\n    budget: {type: integer, description: Sums to make., minimum: 1}\n  required: [budget]\n  additionalProperties: false\n---\nAdd.\n',
  '.fast-agent/tools/sums.py': 'def add(a: int, b: int) -> int:\n    """Adds."""\n    return a + b\n',
  '.fast-agent/hooks/guard.py': hook,
};

let root = '';
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-guard-'));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
});
afterAll(() => rm(root, { recursive: true, force: true }));

function callboard(url: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, OPENAI_API_KEY: 'any', OPENAI_BASE_URL: url };
  return new Promise((resolve) => {
    execFile(process.execPath, [launcher, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

test('renames tools, changes arguments and counts over the calls of a turn', async () => {
  const asked = ['plus 1 2', 'add 1 2', 'add 3 4', 'add 5 6'];
  const server = await startFakeOpenAI({
    respond({ messages, tools }) {
      const results = messages.filter(({ role }) => role === 'tool');
      if (tools.every(({ name }) => name !== 'add')) {
        return results.length > 0
          ? { text: results.at(-1)?.text ?? '' }
          : { toolCalls: [{ name: 'agent__sums', arguments: { budget: 2 } }] };
      }
      const [name = '', a, b] = asked[results.length]?.split(' ') ?? [];
      if (name === '') return { text: results.map(({ text }) => text).join(' ') };
      return { toolCalls: [{ name, arguments: { a: Number(a), b: Number(b) } }] };
    },
  });
  try {
    expect(await callboard(server.url, 'check', root, '--python')).toMatchObject({
      code: 0,
      stdout: '2 cards, 0 errors, 0 warnings and notes\n',
    });
    const ended = await callboard(server.url, 'run', root, '--message', 'Sum.', '--python', '--json');
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ answer: '3 0 7 -1' });
    expect(ended.stdout).toContain('Corrected a name');
  } finally {
    await server.close();
  }
});
