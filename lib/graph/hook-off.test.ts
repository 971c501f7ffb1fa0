import { describe, expect, it } from 'vitest';
import type { Card } from '@/lib/cards/card';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { hookChain } from './hook-chain';
import type { HookCommand } from './hook-edit';
import {
  addHook,
  copyHook,
  moveHook,
  moveHookToRun,
  removeHook,
  setHookCode,
  setHookOff,
  setHookPhase,
} from './hook-edits';
import { effectOf } from './hook-words';

type Files = Readonly<Record<string, string>>;

const files: Files = {
  'agent-cards/lead.md': `---
name: lead
tool_hooks:
  - hooks.py:audit # who called
  - ../guards.ts:guard
lifecycle_hooks: {on_start: hooks.py:seen}
---
Lead.
`,
  'agent-cards/kid.md': '---\nname: kid\ntool_hooks:\n  after_llm_call: hooks.py:seen\n---\nHelp.\n',
  'agent-cards/hooks.py':
    'async def audit(ctx, args, call_next):\n    return await call_next(args)\n\n\nasync def seen(ctx):\n    pass\n',
  'guards.ts': 'export async function guard(ctx, args, next) {\n  return next(args);\n}\n',
  'callboard.yaml': `version: 1
run_hooks:
  - log: {} # every call
  - guards.ts:guard # of all
agent_hooks:
  lead:
    - clamp: {argument: x, max: 10} # not too much
`,
};

function given(of: Files) {
  const folder = folderOf(of);
  const parsed = readFolder(folder);
  const card = (name: string): Card => {
    const found = parsed.cards.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no card ${name}`);
    return found;
  };
  return { folder, parsed, card };
}

function applied(of: Files, command: HookCommand): Files {
  if (!command.ok) throw new Error(command.error.message);
  const next = { ...of };
  for (const [path, text] of command.value.texts) if (text !== null) next[path] = text;
  return next;
}

function switched(of: Files, agent: string, id: string, off: boolean): Files {
  const { folder, parsed, card } = given(of);
  return applied(of, setHookOff(folder, parsed, card(agent), id, off));
}

/** The chain of an agent, as `id name`, with `off`. */
function chain(of: Files, agent: string): string[] {
  const { parsed, card } = given(of);
  return hookChain(card(agent), parsed).map(({ id, name, off }) => `${id} ${name}${off ? ' off' : ''}`);
}

const settings = 'callboard.yaml';

describe('setHookOff', () => {
  it.each([
    ['run_hooks.0', '  - log: {} # every call', '  - log: {} # every call\n    enabled: false'],
    ['run_hooks.1', '  - guards.ts:guard # of all', '  - code: guards.ts:guard # of all\n    enabled: false'],
    [
      'agent_hooks.0',
      '    - clamp: {argument: x, max: 10} # not too much',
      '    - clamp: {argument: x, max: 10} # not too much\n      enabled: false',
    ],
  ])('switches %s off at its line, and on again', (id, before, written) => {
    const off = switched(files, 'lead', id, true);
    expect(off[settings]).toBe(files[settings]?.replace(before, written));
    expect(chain(off, 'lead')).toEqual(
      chain(files, 'lead').map((line) => (line.startsWith(id) ? `${line} off` : line)),
    );
    const on = switched(off, 'lead', id, false);
    // Code keeps its form with a key, so that no comment is lost.
    expect({ ...on, [settings]: on[settings]?.replace('code: ', '') }).toEqual(files);
  });

  it.each([
    ['tool_hooks.0', 'hooks_off:\n  lead:\n    tool_hooks:\n      - hooks.py:audit\n'],
    ['lifecycle_hooks.on_start', 'hooks_off:\n  lead:\n    on_start: hooks.py:seen\n'],
  ])('switches %s of a card off in callboard.yaml, and leaves the card as it is', (id, written) => {
    const off = switched(files, 'lead', id, true);
    expect(off).toEqual({ ...files, [settings]: `${files[settings]}${written}` });
    expect(chain(off, 'lead')).toEqual(
      chain(files, 'lead').map((line) => (line.startsWith(id) ? `${line} off` : line)),
    );
    expect(switched(off, 'lead', id, false)).toEqual(files);
  });

  it('tells hooks that run their places without it, and says what it does', () => {
    const { parsed, card } = given(switched(files, 'lead', 'run_hooks.1', true));
    expect(hookChain(card('lead'), parsed).map(({ place, placeInRun }) => [place, placeInRun])).toEqual([
      [1, 1],
      [2, 0],
      [3, 2],
      [4, 3],
      [5, 4],
      [0, 0],
    ]);
    const [, off] = hookChain(card('lead'), parsed);
    expect(off && effectOf(off)).toBe('Switched off: it stays in the file, and every run skips it.');
    const at = given(files);
    const spread = setHookOff(at.folder, at.parsed, at.card('lead'), 'run_hooks.1', true);
    expect(spread.ok && spread.value.note).toBe("'guard' no longer wraps the calls of any agent.");
  });

  it('writes a new callboard.yaml where there is none', () => {
    const { 'callboard.yaml': _, ...bare } = files;
    expect(switched(bare, 'kid', 'tool_hooks.after_llm_call', true)[settings]).toBe(
      'version: 1\nhooks_off:\n  kid:\n    after_llm_call: hooks.py:seen\n',
    );
  });
});

describe('the switch goes with its hook', () => {
  const off = switched(switched(files, 'lead', 'tool_hooks.0', true), 'lead', 'lifecycle_hooks.on_start', true);
  const at = given(off);
  const lead = at.card('lead');

  it('to agent_hooks and back to the card', () => {
    const moved = applied(off, moveHook(at.folder, at.parsed, lead, 'tool_hooks.0', 2));
    expect(moved[settings]).toContain('    - code: agent-cards/hooks.py:audit\n      enabled: false\n');
    expect(moved[settings]).not.toContain('tool_hooks');
    const now = given(moved);
    const back = applied(moved, moveHook(now.folder, now.parsed, now.card('lead'), 'agent_hooks.0', 4));
    expect(chain(back, 'lead')).toContain('tool_hooks.1 audit off');
    expect(back[settings]).toContain('    tool_hooks:\n      - hooks.py:audit\n');
  });

  it('to another place in its list, to another phase, and to another function', () => {
    expect(chain(applied(off, moveHook(at.folder, at.parsed, lead, 'tool_hooks.0', 4)), 'lead')).toContain(
      'tool_hooks.1 audit off',
    );
    const phase = applied(off, setHookPhase(at.folder, at.parsed, lead, 'lifecycle_hooks.on_start', 'on_shutdown'));
    expect(phase[settings]).toContain('    on_shutdown: hooks.py:seen\n');
    expect(phase[settings]).not.toContain('on_start');
    const code = { kind: 'code' as const, file: 'agent-cards/hooks.py', functionName: 'other' };
    const other = applied(off, setHookCode(at.folder, at.parsed, lead, 'tool_hooks.0', code));
    expect(chain(other, 'lead')).toContain('tool_hooks.0 other off');
    expect(other[settings]).not.toContain('audit');
  });

  it('to all agents, to a copy, and away', () => {
    const spread = applied(off, moveHookToRun(at.folder, at.parsed, lead, 'tool_hooks.0'));
    expect(chain(spread, 'kid')).toContain('run_hooks.2 audit off');
    expect(chain(applied(off, copyHook(at.folder, at.parsed, lead, 'tool_hooks.0', at.card('kid'))), 'kid')).toContain(
      'agent_hooks.0 audit off',
    );
    const phase = copyHook(at.folder, at.parsed, lead, 'lifecycle_hooks.on_start', at.card('kid'));
    expect(chain(applied(off, phase), 'kid')).toContain('lifecycle_hooks.on_start seen off');
    const clamp = switched(files, 'lead', 'agent_hooks.0', true);
    const from = given(clamp);
    const copied = copyHook(from.folder, from.parsed, from.card('lead'), 'agent_hooks.0', from.card('kid'));
    expect(chain(applied(clamp, copied), 'kid')).toContain('agent_hooks.0 clamp off');
    const removed = applied(off, removeHook(at.folder, at.parsed, lead, 'tool_hooks.0'));
    expect(removed[settings]).toBe(`${files[settings]}hooks_off:\n  lead:\n    on_start: hooks.py:seen\n`);
  });

  it('to agent_hooks with the whole list when the card gets a phase', () => {
    const code = { kind: 'code' as const, file: 'agent-cards/hooks.py', functionName: 'seen' };
    const next = applied(off, addHook(at.folder, at.parsed, lead, code, { phase: 'after_llm_call' }));
    expect(chain(next, 'lead')).toEqual([
      'run_hooks.0 log',
      'run_hooks.1 guard',
      'agent_hooks.0 clamp',
      'agent_hooks.1 audit off',
      'agent_hooks.2 guard',
      'tool_hooks.after_llm_call seen',
      'lifecycle_hooks.on_start seen off',
    ]);
  });

  it('to agent_hooks with equal hooks, and leaves no switch behind', () => {
    const twice = {
      ...off,
      'agent-cards/lead.md': '---\nname: lead\ntool_hooks: [hooks.py:audit, hooks.py:audit]\n---\n',
    };
    const now = given(twice);
    const code = { kind: 'code' as const, file: 'agent-cards/hooks.py', functionName: 'seen' };
    const next = applied(twice, addHook(now.folder, now.parsed, now.card('lead'), code, { phase: 'after_llm_call' }));
    expect(chain(next, 'lead').filter((line) => line.includes('audit'))).toEqual([
      'agent_hooks.1 audit off',
      'agent_hooks.2 audit off',
    ]);
    expect(next[settings]).not.toContain('tool_hooks');
  });

  it('and a new hook is on, also where a switch was left over', () => {
    const left = { ...files, [settings]: 'version: 1\nhooks_off: {kid: {before_llm_call: hooks.py:seen}}\n' };
    const now = given(left);
    const code = { kind: 'code' as const, file: 'agent-cards/hooks.py', functionName: 'seen' };
    const next = applied(left, addHook(now.folder, now.parsed, now.card('kid'), code, { phase: 'before_llm_call' }));
    expect(chain(next, 'kid')[0]).toBe('tool_hooks.before_llm_call seen');
  });
});

it('equal hooks in the list of a card have one switch, and none is switched by accident', () => {
  const twins = {
    ...files,
    'agent-cards/lead.md': '---\nname: lead\ntool_hooks: [hooks.py:audit, hooks.py:audit, hooks.py:seen]\n---\nLead.\n',
  };
  const off = switched(twins, 'lead', 'tool_hooks.1', true);
  expect(chain(off, 'lead').slice(3)).toEqual([
    'tool_hooks.0 audit off',
    'tool_hooks.1 audit off',
    'tool_hooks.2 seen',
  ]);
  const at = given(off);
  const fewer = applied(off, removeHook(at.folder, at.parsed, at.card('lead'), 'tool_hooks.1'));
  expect(chain(fewer, 'lead').slice(3)).toEqual(['tool_hooks.0 audit off', 'tool_hooks.1 seen']);
  const code = { kind: 'code' as const, file: 'agent-cards/hooks.py', functionName: 'audit' };
  for (const command of [
    addHook(at.folder, at.parsed, at.card('lead'), code, { phase: 'around' }),
    setHookCode(at.folder, at.parsed, at.card('lead'), 'tool_hooks.2', code),
  ]) {
    expect(command.ok ? 'accepted' : command.error.message).toBe(
      "'hooks.py:audit' is in the list of 'lead' already, and is off there. Equal hooks of a card have one switch: switch one of them first.",
    );
  }
});
