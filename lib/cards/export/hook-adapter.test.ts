import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { encodeFile } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { exportForFastAgent } from './export-for-fast-agent';

const runner = path.resolve('lib/testing/released_runner.py');

type Turn = {
  readonly ran: readonly [string, unknown][];
  readonly asked: readonly [string, string, unknown][];
  readonly results: readonly [string, string, boolean][];
  readonly swallowed: string | null;
};

let home = '';
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'callboard-adapter-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** Exports one card with this list of hooks, and runs turns of tool calls through what fast-agent would load. */
function run(hooks: string, list: readonly string[], turns: readonly (readonly [string, string, object][])[]): Turn[] {
  const card = `---
name: lead
servers: [time]
function_tools: [../tools.py:add]
agents: [kid]
tool_hooks:
${list.map((name) => `  - ../hooks.py:${name}\n`).join('')}---
Lead.
`;
  const { folder } = exportForFastAgent(
    textFolder({
      'agent-cards/lead.md': card,
      'agent-cards/kid.md': '---\nname: kid\n---\nHelp.\n',
      'hooks.py': hooks,
      'shared.py': 'LOG = []\n',
      'tools.py': 'def add(x: int) -> int:\n    return x\n',
    }),
  );
  write(folder);
  const lead = readFolder(folder).cards.find((one) => one.name === 'lead');
  const phases = lead?.type === 'agent' && lead.toolHooks.form === 'phases' ? lead.toolHooks.phases : {};
  const scenario = {
    base: path.join(home, 'agent-cards'),
    before: phases.before_tool_call?.spec,
    after: phases.after_tool_call?.spec,
    agent: 'lead[2]',
    tools: { add: 'echo', time__now: 'noon', agent__kid: 'kid says', bash: 'shell', broken: 'raise' },
    turns,
  };
  const { stdout, stderr, status } = spawnSync('python3', [runner], {
    input: JSON.stringify(scenario),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

function textFolder(files: Record<string, string>): Folder {
  return new Map(Object.entries(files).map(([name, text]) => [name, { kind: 'text', text }] as const));
}

function write(folder: Folder): void {
  for (const [name, file] of folder) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), encodeFile(file));
  }
}

describe('an exported chain, run as fast-agent runs phase hooks', () => {
  test('the first hook is outermost; arguments and results are changed on the way', () => {
    const hooks = `
async def outer(ctx, args, call_next):
    result = await call_next({**args, "by": args["by"] + ["outer"]})
    result.content.append(text_content("outer"))
    return result

async def inner(ctx, args, call_next):
    result = await call_next({**args, "by": args["by"] + ["inner"]})
    result.content.append(text_content("inner"))
    return result
`;
    const [turn] = run(hooks, ['outer', 'inner'], [[['c1', 'add', { by: [] }]]]);
    expect(turn).toEqual({
      ran: [['add', { by: ['outer', 'inner'] }]],
      // The model's own message is what it wrote.
      asked: [['c1', 'add', { by: [] }]],
      results: [['c1', '{"by": ["outer", "inner"]}\ninner\nouter', false]],
      swallowed: null,
    });
  });

  test('a hook that answers keeps its tool from running, and results stay in the order of the calls', () => {
    const hooks = `
async def guard(ctx, args, call_next):
    if ctx.tool_source == "runtime":
        return CallToolResult(isError=True, content=[text_content("blocked")])
    return await call_next(args)
`;
    const calls: [string, string, object][] = [
      ['c1', 'bash', { command: 'rm' }],
      ['c2', 'add', { x: 1 }],
      ['c3', 'bash', {}],
    ];
    const [mixed, all] = run(hooks, ['guard'], [calls, [['d1', 'bash', {}]]]);
    expect(mixed?.ran).toEqual([['add', { x: 1 }]]);
    expect(mixed?.asked).toEqual(calls);
    expect(mixed?.results).toEqual([
      ['c1', 'blocked', true],
      ['c2', '{"x": 1}', false],
      ['c3', 'blocked', true],
    ]);
    expect(all).toEqual({
      ran: [],
      asked: [['d1', 'bash', {}]],
      results: [['d1', 'blocked', true]],
      swallowed: null,
    });
  });

  test('a hook that raises, before or after the tool, makes its call an error and no other', () => {
    const hooks = `
async def strict(ctx, args, call_next):
    if args.get("when") == "before":
        raise ValueError("not now")
    result = await call_next()
    if args.get("when") == "after":
        raise ValueError("too late")
    return None if args.get("when") == "nothing" else result
`;
    const [turn] = run(
      hooks,
      ['strict'],
      [
        [
          ['c1', 'add', { when: 'before' }],
          ['c2', 'add', { when: 'after' }],
          ['c3', 'add', { when: 'nothing' }],
          ['c4', 'add', { when: 'never' }],
        ],
      ],
    );
    expect(turn?.ran.map(([, args]) => args)).toEqual([{ when: 'after' }, { when: 'nothing' }, { when: 'never' }]);
    expect(turn?.results).toEqual([
      ['c1', "Error: Hook '../hooks.py:strict' failed: ValueError: not now", true],
      ['c2', "Error: Hook '../hooks.py:strict' failed: ValueError: too late", true],
      [
        'c3',
        "Error: Hook '../hooks.py:strict' failed: TypeError: It returned nothing. Return what call_next gave, or a result.",
        true,
      ],
      ['c4', '{"when": "never"}', false],
    ]);
  });

  test('a hook is told who calls what, and one tool runs once', () => {
    const hooks = `
async def tell(ctx, args, call_next):
    await call_next(args)
    told = [ctx.agent_name, ctx.instance_name, ctx.tool_name, ctx.tool_source, ctx.server_name, ctx.tool_use_id]
    return {"content": [{"type": "text", "text": repr(told)}]}

async def twice(ctx, args, call_next):
    await call_next(args)
    try:
        await call_next(args)
    except RuntimeError:
        pass
    return "fine"

async def bare(ctx, args, call_next):
    return await ctx.original_tool_func({"bare": True})
`;
    const [turn] = run(
      hooks,
      ['tell'],
      [
        [
          ['c1', 'time__now', {}],
          ['c2', 'add', {}],
          ['c3', 'agent__kid', {}],
          ['c4', 'bash', {}],
        ],
      ],
    );
    expect(turn?.results.map(([, text]) => text)).toEqual([
      "['lead', 'lead[2]', 'time__now', 'mcp', 'time', 'c1']",
      "['lead', 'lead[2]', 'add', 'function', None, 'c2']",
      "['lead', 'lead[2]', 'agent__kid', 'agent', 'agent', 'c3']",
      "['lead', 'lead[2]', 'bash', 'runtime', 'runtime', 'c4']",
    ]);
    const [again] = run(hooks, ['twice'], [[['c1', 'add', {}]]]);
    expect(again?.ran).toHaveLength(1);
    expect(again?.results[0]?.[1]).toContain('It called next more than once.');
    const [skipped] = run(hooks, ['bare', 'twice'], [[['c1', 'add', { x: 1 }]]]);
    expect(skipped?.results).toEqual([['c1', '{"bare": true}', false]]);
  });

  test('tools that fail together go back up the chain, and hooks keep their memory between turns', () => {
    const hooks = `
import shared

async def count(ctx, args, call_next):
    shared.LOG.append(ctx.tool_name)
    result = await call_next(args)
    return f"{len(shared.LOG)} {result.is_error} {result.content[0].text}"
`;
    const turns = run(hooks, ['count'], [[['c1', 'broken', {}]], [['c2', 'add', {}]]]);
    expect(turns.map((turn) => turn.results)).toEqual([
      [['c1', '1 True Tool hook or execution failed during run_tools: broken broke', false]],
      [['c2', '2 False {}', false]],
    ]);
  });
});
