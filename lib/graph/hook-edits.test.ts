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
  setHookParameters,
  setHookPhase,
  setHookPolicy,
} from './hook-edits';

const files: Record<string, string> = {
  'agent-cards/lead.md': `---
name: lead
agents: [writer]
tool_hooks:
  - hooks.py:audit # who called
  - ../guards.ts:guard
---
Lead.
`,
  'agent-cards/writer.md': `---
name: writer
tool_hooks: # by phase
  after_llm_call: hooks.py:seen
---
Write.
`,
  'agent-cards/plain.md': '---\nname: plain\n---\nHelp.\n',
  'agent-cards/hooks.py':
    'async def audit(ctx, args, call_next):\n    return await call_next(args)\n\n\nasync def seen(ctx):\n    pass\n',
  'guards.ts': 'export async function guard(ctx, args, next) {\n  return next(args);\n}\n',
  'callboard.yaml': `version: 1
# the whole run
run_hooks:
  - log: {} # every call
agent_hooks:
  lead:
    - clamp: {argument: x, max: 10} # not too much
hooks:
  hooks.py:audit: {on_error: skip} # it only looks
`,
};

function given(record: Record<string, string> = files) {
  const folder = folderOf(record);
  const parsed = readFolder(folder);
  const card = (name: string): Card => {
    const found = parsed.cards.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no card ${name}`);
    return found;
  };
  return { folder, parsed, card };
}

/** The texts after a command that must succeed. */
function textsAfter(command: HookCommand, record: Record<string, string> = files): Record<string, string> {
  if (!command.ok) throw new Error(command.error.message);
  const next = { ...record };
  for (const [path, text] of command.value.texts) if (text !== null) next[path] = text;
  return next;
}

/** The chain of an agent as `place name`, with the policy of code. */
function chainIn(record: Record<string, string>, agent: string): string[] {
  const { parsed, card } = given(record);
  return hookChain(card(agent), parsed).map(
    ({ id, name, policy }) => `${id} ${name}${policy.on_error === undefined ? '' : ` ${policy.on_error}`}`,
  );
}

function refusal(command: HookCommand): string {
  return command.ok ? 'accepted' : command.error.message;
}

/** The changed lines of a file. */
function lines(record: Record<string, string>, file: string): string[] {
  const [old, now] = [(files[file] ?? '').split('\n'), (record[file] ?? '').split('\n')];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `-${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+${line}`),
  ];
}

const { folder, parsed, card } = given();
const lead = card('lead');

describe('moveHook', () => {
  it('moves code within the card, with its comment', () => {
    const next = textsAfter(moveHook(folder, parsed, lead, 'tool_hooks.0', 3));
    expect(next['agent-cards/lead.md']).toContain(
      'tool_hooks:\n  - ../guards.ts:guard\n  - hooks.py:audit # who called\n',
    );
    expect(chainIn(next, 'lead')).toEqual([
      'run_hooks.0 log',
      'agent_hooks.0 clamp',
      'tool_hooks.0 guard',
      'tool_hooks.1 audit skip',
    ]);
  });

  it('moves code from the card to agent_hooks when it passes a hook there, and its policy stays', () => {
    const moved = moveHook(folder, parsed, lead, 'tool_hooks.0', 1);
    const next = textsAfter(moved);
    expect(chainIn(next, 'lead')).toEqual([
      'run_hooks.0 log',
      'agent_hooks.0 audit skip',
      'agent_hooks.1 clamp',
      'tool_hooks.0 guard',
    ]);
    expect(moved.ok && [moved.value.id, moved.value.note]).toEqual([
      'agent_hooks.0',
      "'audit' is now in callboard.yaml.",
    ]);
    expect(lines(next, 'callboard.yaml')).toEqual([
      '-  hooks.py:audit: {on_error: skip} # it only looks',
      '+    - agent-cards/hooks.py:audit',
      '+  agent-cards/hooks.py:audit: {on_error: skip} # it only looks',
    ]);
  });

  it('moves code back to the card when it passes one there, named relative to the card', () => {
    const first = textsAfter(moveHook(folder, parsed, lead, 'tool_hooks.0', 1));
    const again = given(first);
    const next = textsAfter(moveHook(again.folder, again.parsed, again.card('lead'), 'agent_hooks.0', 3), first);
    expect(chainIn(next, 'lead')).toEqual([
      'run_hooks.0 log',
      'agent_hooks.0 clamp',
      'tool_hooks.0 guard',
      'tool_hooks.1 audit skip',
    ]);
    expect(next['agent-cards/lead.md']).toContain('  - ../guards.ts:guard\n  - hooks.py:audit\n');
  });

  it('refuses what would change other agents or has no form in the card, and says what to do', () => {
    expect(refusal(moveHook(folder, parsed, lead, 'agent_hooks.0', 2))).toBe(
      "'clamp' has no code, so it is written in callboard.yaml, which comes before the hooks of the card. Move a hook of the card before 'clamp' instead.",
    );
    expect(refusal(moveHook(folder, parsed, lead, 'run_hooks.0', 1))).toContain("Copy it to 'lead'");
    expect(refusal(moveHook(folder, parsed, lead, 'tool_hooks.1', 0))).toContain("Choose 'Use everywhere'");
    expect(refusal(moveHook(folder, parsed, card('writer'), 'tool_hooks.after_llm_call', 0))).toContain(
      'Choose another phase',
    );
  });

  it('keeps an entry of the list that cannot be read where it is', () => {
    const odd = {
      ...files,
      'agent-cards/lead.md': '---\nname: lead\ntool_hooks: [hooks.py:audit, 7, ../guards.ts:guard]\n---\n',
    };
    const at = given(odd);
    const next = textsAfter(moveHook(at.folder, at.parsed, at.card('lead'), 'tool_hooks.1', 2), odd);
    expect(next['agent-cards/lead.md']).toBe(
      '---\nname: lead\ntool_hooks: [../guards.ts:guard, hooks.py:audit, 7]\n---\n',
    );
  });
});

describe('addHook', () => {
  it('adds code to the card, and to agent_hooks of a card with phases', () => {
    const code = { kind: 'code' as const, file: 'guards.ts', functionName: 'guard' };
    const plain = textsAfter(addHook(folder, parsed, card('plain'), code, { phase: 'around' }));
    expect(plain['agent-cards/plain.md']).toBe('---\nname: plain\ntool_hooks:\n  - ../guards.ts:guard\n---\nHelp.\n');
    const writer = textsAfter(addHook(folder, parsed, card('writer'), code, { phase: 'around' }));
    expect(lines(writer, 'callboard.yaml')).toEqual(['+  writer:', '+    - guards.ts:guard']);
    expect(writer['agent-cards/writer.md']).toBe(files['agent-cards/writer.md']);
  });

  it('adds a hook without code to agent_hooks, also in a folder without callboard.yaml', () => {
    const { 'callboard.yaml': _, ...bare } = files;
    const at = given(bare);
    const block = { kind: 'block' as const, parameters: { when: { tool: 'rm*' } } };
    const next = textsAfter(addHook(at.folder, at.parsed, at.card('plain'), block, { phase: 'around' }), bare);
    expect(next['callboard.yaml']).toBe(
      'version: 1\nagent_hooks:\n  plain:\n    - block:\n        when:\n          tool: rm*\n',
    );
  });

  it('adds between the hooks of the card, and says so when that is no place for a hook without code', () => {
    const log = { kind: 'log' as const, parameters: {} };
    const added = addHook(folder, parsed, lead, log, { phase: 'around', at: 3 });
    expect(added.ok && [added.value.id, added.value.note]).toEqual([
      'agent_hooks.1',
      expect.stringContaining('It was added at the next place.'),
    ]);
    const everywhere = textsAfter(addHook(folder, parsed, lead, log, { phase: 'around', everywhere: true, at: 0 }));
    expect(chainIn(everywhere, 'plain')).toEqual(['run_hooks.0 log', 'run_hooks.1 log']);
  });

  it('adds a second phase beside the first, and refuses one that is taken', () => {
    const seen = { kind: 'code' as const, file: 'agent-cards/hooks.py', functionName: 'seen' };
    const next = textsAfter(addHook(folder, parsed, card('writer'), seen, { phase: 'before_llm_call' }));
    expect(chainIn(next, 'writer')).toEqual([
      'run_hooks.0 log',
      'tool_hooks.before_llm_call seen',
      'tool_hooks.after_llm_call seen',
    ]);
    expect(refusal(addHook(folder, parsed, card('writer'), seen, { phase: 'after_llm_call' }))).toContain(
      'a phase has one hook',
    );
    const start = textsAfter(addHook(folder, parsed, card('writer'), seen, { phase: 'on_start' }));
    expect(start['agent-cards/writer.md']).toContain('lifecycle_hooks:\n  on_start: hooks.py:seen\n');
  });

  it('moves the list of a card to agent_hooks when a phase is added, in the same order and with its policies', () => {
    const seen = { kind: 'code' as const, file: 'agent-cards/hooks.py', functionName: 'seen' };
    const added = addHook(folder, parsed, lead, seen, { phase: 'after_tool_call' });
    expect(added.ok && added.value.note).toContain("'audit', 'guard' moved to agent_hooks");
    expect(chainIn(textsAfter(added), 'lead')).toEqual([
      'run_hooks.0 log',
      'agent_hooks.0 clamp',
      'agent_hooks.1 audit skip',
      'agent_hooks.2 guard',
      'tool_hooks.after_tool_call seen',
    ]);
  });
});

describe('removeHook', () => {
  it('removes the entry, its empty list and the policy that only it uses', () => {
    const next = textsAfter(removeHook(folder, parsed, lead, 'tool_hooks.0'));
    expect(lines(next, 'callboard.yaml')).toEqual(['-hooks:', '-  hooks.py:audit: {on_error: skip} # it only looks']);
    expect(lines(next, 'agent-cards/lead.md')).toEqual(['-  - hooks.py:audit # who called']);
    expect(lines(textsAfter(removeHook(folder, parsed, lead, 'agent_hooks.0')), 'callboard.yaml')).toEqual([
      '-agent_hooks:',
      '-  lead:',
      '-    - clamp: {argument: x, max: 10} # not too much',
    ]);
    expect(refusal(removeHook(folder, parsed, lead, 'tool_hooks.7'))).toContain('Choose it again');
  });
});

describe('copyHook and moveHookToRun', () => {
  it('copies a hook with its policy, to where the other card has room', () => {
    const next = textsAfter(copyHook(folder, parsed, lead, 'tool_hooks.0', card('writer')));
    expect(chainIn(next, 'writer')).toContain('agent_hooks.0 audit skip');
    expect(chainIn(next, 'lead')).toContain('tool_hooks.0 audit skip');
    const clamp = textsAfter(copyHook(folder, parsed, lead, 'agent_hooks.0', card('plain')));
    expect(lines(clamp, 'callboard.yaml')).toEqual([
      '+  plain:',
      '+    - clamp:',
      '+        argument: x',
      '+        max: 10',
    ]);
    expect(refusal(copyHook(folder, parsed, lead, 'run_hooks.0', card('plain')))).toContain(
      "wraps the calls of 'plain'",
    );
  });

  it('moves a hook into run_hooks, where it wraps the calls of every agent', () => {
    const next = textsAfter(moveHookToRun(folder, parsed, lead, 'tool_hooks.0'));
    expect(chainIn(next, 'plain')).toEqual(['run_hooks.0 log', 'run_hooks.1 audit skip']);
    expect(chainIn(next, 'lead')).toEqual([
      'run_hooks.0 log',
      'run_hooks.1 audit skip',
      'agent_hooks.0 clamp',
      'tool_hooks.0 guard',
    ]);
  });

  it('refuses when the agent would lose the hook, because an edge to it has no hooks of the run', () => {
    const cut = {
      ...files,
      'callboard.yaml': `${files['callboard.yaml']}delegations: {lead: {writer: {inherit_run_hooks: false}}}\n`,
      'agent-cards/writer.md': '---\nname: writer\ntool_hooks: [hooks.py:audit]\n---\n',
    };
    const at = given(cut);
    expect(refusal(moveHookToRun(at.folder, at.parsed, at.card('writer'), 'tool_hooks.0'))).toContain(
      'inherit_run_hooks: false',
    );
    expect(moveHookToRun(at.folder, at.parsed, at.card('lead'), 'tool_hooks.0').ok).toBe(true);
  });
});

describe('the settings of a hook', () => {
  it('sets and resets parameters in place', () => {
    const set = textsAfter(
      setHookParameters(folder, parsed, lead, 'agent_hooks.0', { max: 3, when: { tool: 'add*' } }),
    );
    expect(lines(set, 'callboard.yaml')).toEqual([
      '-    - clamp: {argument: x, max: 10} # not too much',
      '+    - clamp: {argument: x, max: 3, when: { tool: add* }} # not too much',
    ]);
    const reset = textsAfter(setHookParameters(folder, parsed, lead, 'agent_hooks.0', { min: 1, max: undefined }));
    expect(reset['callboard.yaml']).toContain('    - clamp: {argument: x, min: 1} # not too much');
  });

  it('sets the policy that counts, and a new one by the path in the folder', () => {
    const audit = textsAfter(setHookPolicy(folder, parsed, lead, 'tool_hooks.0', 'timeout_ms', 500));
    expect(audit['callboard.yaml']).toContain('  hooks.py:audit: {on_error: skip, timeout_ms: 500} # it only looks');
    const guard = textsAfter(setHookPolicy(folder, parsed, lead, 'tool_hooks.1', 'on_error', 'skip'));
    expect(lines(guard, 'callboard.yaml')).toEqual(['+  guards.ts:guard:', '+    on_error: skip']);
    const reset = textsAfter(setHookPolicy(folder, parsed, lead, 'tool_hooks.0', 'on_error', undefined));
    expect(reset['callboard.yaml']).not.toContain('hooks:\n  hooks.py');
  });

  it('names another function, and moves a hook to another phase', () => {
    const code = { kind: 'code' as const, file: 'guards.ts', functionName: 'other' };
    expect(textsAfter(setHookCode(folder, parsed, lead, 'tool_hooks.1', code))['agent-cards/lead.md']).toContain(
      '  - ../guards.ts:other\n',
    );
    const writer = card('writer');
    const before = textsAfter(setHookPhase(folder, parsed, writer, 'tool_hooks.after_llm_call', 'before_llm_call'));
    expect(before['agent-cards/writer.md']).toContain('tool_hooks: # by phase\n  before_llm_call: hooks.py:seen\n');
    const start = textsAfter(setHookPhase(folder, parsed, writer, 'tool_hooks.after_llm_call', 'on_start'));
    expect(chainIn(start, 'writer')).toEqual(['run_hooks.0 log', 'lifecycle_hooks.on_start seen']);
    expect(refusal(setHookPhase(folder, parsed, lead, 'tool_hooks.0', 'on_start'))).toContain('Add another function');
  });
});
