import { describe, expect, it } from 'vitest';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
import { textResult as say } from '@/lib/testing/code-calls';
import { hasPython, testCodeHosts } from '@/lib/testing/test-code-hosts';

const hostsOf = testCodeHosts(createCodeHosts, 'with python');

describe.skipIf(!hasPython())('the types of the hook specification', () => {
  const hookOf = (code: string) =>
    hostsOf('tool_hooks: [h.py:hook]', { 'h.py': code }).hook({ x: 1 }, () => Promise.resolve(say('tool')));

  it.each([
    [
      'imported, as annotations and for isinstance',
      `from fast_agent.agents.tool_hooks import ToolCallArgs, ToolCallFn, ToolHookContext, ToolHookFn
async def hook(ctx: ToolHookContext, args: ToolCallArgs, call_next: ToolCallFn) -> CallToolResult:
    assert isinstance(ctx, ToolHookContext)
    return await call_next(args)
typed: ToolHookFn = hook
`,
    ],
    [
      'without an import',
      `async def hook(ctx: ToolHookContext, args: ToolCallArgs, call_next: ToolCallFn) -> CallToolResult:
    return await call_next(args)
typed: ToolHookFn = hook
`,
    ],
    [
      'as the dataclass that it is, also made by the code itself',
      `import dataclasses
async def hook(ctx, args, call_next):
    names = [field.name for field in dataclasses.fields(ctx)][:7]
    assert names == ['agent_name', 'server_name', 'tool_name', 'tool_source', 'tool_use_id', 'correlation_id', 'original_tool_func'], names
    assert dataclasses.replace(ctx, tool_name='other').tool_name == 'other'
    ToolHookContext(agent_name='a', server_name=None, tool_name='t', tool_source='mcp', tool_use_id=None, correlation_id=None, original_tool_func=call_next)
    return await ctx.original_tool_func(args)
`,
    ],
    [
      'of the configuration',
      `from fast_agent.agents.agent_types import ToolHookConfig, ToolHooksConfig
from fast_agent.agents import tool_hooks
hooks: ToolHooksConfig = None
async def hook(ctx, args, call_next):
    try:
        tool_hooks.run_tool_with_hooks([], ctx, args)
    except RuntimeError as error:
        assert "Name them in 'tool_hooks' of the card" in str(error)
        return await call_next(args)
`,
    ],
    [
      'in a file that also declares an agent in Python',
      `from fast_agent import FastAgent
fast = FastAgent('Reports')
def add_one(x: int) -> int:
    return x + 1
async def hook(ctx, args, call_next):
    return await call_next(args)
@fast.agent(name='PMO', function_tools=[add_one], tool_hooks=[hook], default=True)
async def main() -> None:
    async with fast.run() as agent:
        await agent('go')
`,
    ],
  ])('%s', async (_, code) => {
    expect(await hookOf(code)).toEqual({ ok: true, result: say('tool') });
  });

  it('are there beside an installed fast-agent without them, whose other modules are used', async () => {
    const files = {
      'fast_agent/__init__.py': '',
      'fast_agent/agents/__init__.py': "OWN = 'own'\n",
      // The replacements are there before the project's folder can be searched.
      'h.py': `import sys
for name in [name for name in sys.modules if name.split('.')[0] == 'fast_agent']:
    del sys.modules[name]
from fast_agent.agents import OWN
from fast_agent.agents.tool_hooks import ToolHookContext
async def hook(ctx: ToolHookContext, args, call_next):
    assert isinstance(ctx, ToolHookContext) and OWN == 'own'
    return await call_next(args)
`,
    };
    const { hook } = hostsOf('tool_hooks: [h.py:hook]', files);
    expect(await hook({}, () => Promise.resolve(say('tool')))).toEqual({ ok: true, result: say('tool') });
  });

  it('an agent of a Python file that shall run says what to do instead', async () => {
    const code = `from fast_agent.core.fastagent import FastAgent
async def hook(ctx, args, call_next):
    async with FastAgent('x').run() as agent:
        await agent('go')
`;
    expect(await hookOf(code)).toMatchObject({
      ok: false,
      message: expect.stringContaining('cards are the agents. Write a card for each'),
    });
  });
});
