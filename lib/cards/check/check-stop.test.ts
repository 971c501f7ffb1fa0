import { expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';

const python = `async def wait(ctx):
    if ctx.message.tool_calls:
        ctx.stop("Send it?")

async def quiet(ctx):
    # ctx.stop() is not called here
    pass

async def around(ctx, args, call_next):
    ctx.stop()
    return await call_next(args)
`;
const script = `export const wait = (ctx) => {
  ctx.stop('Send it?');
};
export function quiet(ctx) {}
`;

const issuesOf = (hooks: string, settings = '') =>
  readFolder(
    folderOf({
      'agent-cards/lead.md': `---\nname: lead\n${hooks}\n---\nLead.\n`,
      'hooks.py': python,
      'hooks.ts': script,
      'callboard.yaml': `version: 1\n${settings}`,
    }),
  ).issues.flatMap(({ file, line, code, severity, message }) =>
    code === 'hook-stop' ? [`${severity} ${file}:${line} ${message}`] : [],
  );

it('a stop in a phase that cannot stop is a warning that names the line', () => {
  expect(issuesOf('tool_hooks: {before_llm_call: ../hooks.py:wait, after_turn_complete: ../hooks.ts:wait}')).toEqual([
    "warning agent-cards/lead.md:3 Hook '../hooks.py:wait' calls 'ctx.stop' on line 3 of 'hooks.py', which raises in before_llm_call. Stop in after_llm_call or after_tool_call.",
    "warning agent-cards/lead.md:3 Hook '../hooks.ts:wait' calls 'ctx.stop' on line 2 of 'hooks.ts', which raises in after_turn_complete. Stop in after_llm_call or after_tool_call.",
  ]);
  expect(issuesOf('tool_hooks: {after_llm_call: ../hooks.py:wait, after_tool_call: ../hooks.ts:wait}')).toEqual([]);
  expect(
    issuesOf('tool_hooks: {before_llm_call: ../hooks.py:quiet}\nlifecycle_hooks: {on_start: ../hooks.ts:quiet}'),
  ).toEqual([]);
  expect(issuesOf('lifecycle_hooks: {on_start: ../hooks.ts:wait}')).toHaveLength(1);
  expect(issuesOf('tool_hooks: [../hooks.py:around]')).toHaveLength(1);
  expect(issuesOf('', 'run_hooks: [hooks.py:around]\n')[0]).toContain('which raises in a hook that wraps calls');
});
