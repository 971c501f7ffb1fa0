import { describe, expect, test } from 'vitest';
import { pythonOffIssues } from './check/python-off';
import { coveredBy } from './closure';
import { renameAgent } from './edit/rename-agent';
import { renameFile } from './edit/rename-file';
import { exportForFastAgent } from './export/export-for-fast-agent';
import { folderOf } from './files';
import { hooksOffOf, withoutHooksOff } from './hooks-off';
import { readFolder } from './project/read-folder';
import { listCapabilities } from './trust/list-capabilities';

const chain = 'async def audit(ctx, args, call_next):\n    return await call_next(args)\n\n\nguard = None\n';
const files = {
  'agent-cards/lead.md': `---
name: lead
tool_hooks:
  - hooks.py:audit
  - ../guards.ts:guard
lifecycle_hooks:
  on_start: gone.py:begin
---
Lead.
`,
  'agent-cards/kid.md':
    '---\nname: kid\ntool_hooks:\n  before_llm_call: phases.py:see\n  after_llm_call: phases.py:see\n---\nHelp.\n',
  'agent-cards/hooks.py': chain,
  'agent-cards/phases.py': 'async def see(ctx):\n    pass\n',
  'guards.ts': 'export async function guard(ctx, args, next) {\n  return next(args);\n}\n',
  'callboard.yaml': `version: 1
run_hooks:
  - {code: guards.ts:guard, enabled: false}
  - log: {}
agent_hooks:
  lead:
    - block: {when: {tool: rm}}
      enabled: false
hooks_off:
  lead:
    tool_hooks: [hooks.py:audit]
    on_start: gone.py:begin
  kid:
    before_llm_call: phases.py:see
`,
};
const folder = folderOf(files);
const parsed = readFolder(folder);

function inRun(of = parsed) {
  const { cards, settings } = withoutHooksOff(of);
  return {
    run: settings.run_hooks.map(({ kind }) => kind),
    lead: settings.agent_hooks.lead?.map(({ kind }) => kind),
    cards: cards.map((card) => (card.type === 'agent' ? { hooks: card.toolHooks, life: card.lifecycleHooks } : card)),
  };
}

test('a run has only the hooks that are on, and the files keep all', () => {
  const ref = (spec: string) => expect.objectContaining({ spec });
  expect(inRun()).toEqual({
    run: ['log'],
    lead: [],
    cards: [
      { hooks: { form: 'phases', phases: { after_llm_call: ref('phases.py:see') } }, life: {} },
      { hooks: { form: 'chain', chain: [ref('../guards.ts:guard')] }, life: {} },
    ],
  });
  expect(parsed.settings.run_hooks).toHaveLength(2);
  const lead = parsed.cards.find(({ name }) => name === 'lead');
  expect(lead && hooksOffOf(lead, parsed.settings)).toEqual(['guards.ts:guard', 'block', 'agent-cards/hooks.py:audit']);
});

test('a folder in which all hooks are on is not copied', () => {
  const on = readFolder(
    folderOf({ ...files, 'callboard.yaml': 'version: 1\nrun_hooks: [{log: {}, enabled: true}]\n' }),
  );
  expect(withoutHooksOff(on)).toBe(on);
});

describe('the check', () => {
  const issues = (settings: string) =>
    readFolder(folderOf({ ...files, 'callboard.yaml': settings }))
      .issues.filter(({ file }) => file === 'callboard.yaml')
      .map(({ line, code, message }) => `${line} ${code}: ${message}`);

  test('names each switch, and finds nothing wrong with code that is off', () => {
    expect(parsed.issues.filter(({ code }) => code.startsWith('hook-') && code !== 'hook-list')).toEqual(
      [3, 8, 11, 12, 14].map((line) =>
        expect.objectContaining({ code: 'hook-off', severity: 'warning', file: 'callboard.yaml', line }),
      ),
    );
    const off = parsed.issues.filter(({ code }) => code === 'hook-off').map(({ message }) => message);
    expect(off[2]).toBe(
      "Hook 'hooks.py:audit' of 'lead' is off (hooks_off.lead.tool_hooks): every run skips it. Switch it on, or remove it.",
    );
    expect(readFolder(folderOf({ ...files, 'callboard.yaml': 'version: 1\n' })).issues).toContainEqual(
      expect.objectContaining({ code: 'hook-file-missing', severity: 'error' }),
    );
  });

  test('says so if a switch has no hook, or is no switch', () => {
    expect(issues('version: 1\nhooks_off:\n  lead:\n    tool_hooks: [../agent-cards/hooks.py:audit]\n')).toEqual([
      expect.stringContaining(
        "4 settings-unused-hook: 'hooks_off' names '../agent-cards/hooks.py:audit', which is no hook",
      ),
    ]);
    expect(issues('version: 1\nhooks_off:\n  nobody: {on_start: a.py:b}\n')).toEqual([
      expect.stringContaining('3 settings-unknown-agent'),
    ]);
    expect(issues('version: 1\nrun_hooks: [{log: {}, enabled: 1}]\n')).toEqual([
      expect.stringContaining("'enabled' is true or false"),
    ]);
    expect(issues('version: 1\nrun_hooks: [{code: 3, enabled: false}]\n')).toEqual([
      expect.stringContaining("there is no hook 'code'"),
    ]);
    expect(issues('version: 1\nhooks_off: {lead: {later: a.py:b}}\n')[0]).toContain('later');
  });

  test('asks neither for Python nor for trust in code that no run loads', () => {
    const only = { ...files, 'agent-cards/kid.md': '---\nname: kid\n---\n' };
    const off = folderOf(only);
    const kinds = (of: typeof off) =>
      listCapabilities(of, readFolder(of)).items.map(({ kind, name }) => `${kind} ${name}`);
    expect(pythonOffIssues(off, readFolder(off))).toEqual([]);
    expect(kinds(off)).toEqual([]);
    const on = folderOf({ ...only, 'callboard.yaml': 'version: 1\n' });
    expect(pythonOffIssues(on, readFolder(on)).map(({ code }) => code)).toEqual(['python-off']);
    expect(kinds(on)).toContain('python agent-cards/hooks.py');
  });
});

test('an approval covers the switch, and not the layout of a file in which a hook is off', () => {
  const hash = (settings: string) => {
    const of = folderOf({ ...files, 'callboard.yaml': settings });
    return coveredBy(of, readFolder(of)).settings;
  };
  const { 'callboard.yaml': text } = files;
  expect(hash(text)).toBeDefined();
  expect(hash(`${text}canvas: {positions: {}}\n`)).toBe(hash(text));
  expect(hash(text.replace('    tool_hooks: [hooks.py:audit]\n', ''))).not.toBe(hash(text));
  expect(hash(text.replace('      enabled: false\n', ''))).not.toBe(hash(text));
});

test('a rename of the agent and a move of the code carry the switch along', () => {
  const renamed = renameAgent(folder, 'lead', 'chief');
  expect(renamed.ok && renamed.value.get('callboard.yaml')).toContain('hooks_off:\n  chief:\n    tool_hooks:');
  const moved = renameFile(folder, 'agent-cards/hooks.py', 'code/hooks.py');
  const text = moved.ok ? moved.value.get('callboard.yaml') : undefined;
  expect(text?.kind === 'text' && text.text).toContain('tool_hooks: [../code/hooks.py:audit]');
  const guard = renameFile(folder, 'guards.ts', 'code/guards.ts');
  const settings = guard.ok ? guard.value.get('callboard.yaml') : undefined;
  expect(settings?.kind === 'text' && settings.text).toContain('- {code: code/guards.ts:guard, enabled: false}');
  const card = renameFile(folder, 'agent-cards/lead.md', 'lead.md');
  const after = card.ok ? card.value.get('callboard.yaml') : undefined;
  expect(after?.kind === 'text' && after.text).toContain('tool_hooks: [agent-cards/hooks.py:audit]');
});

test('the export for fast-agent leaves out what is off, and says so', () => {
  const { folder: exported, report } = exportForFastAgent(folder);
  const text = (path: string) => {
    const file = exported.get(path);
    return file?.kind === 'text' ? file.text : '';
  };
  expect(text('agent-cards/kid.md')).toBe('---\nname: kid\ntool_hooks:\n  after_llm_call: phases.py:see\n---\nHelp.\n');
  expect(text('agent-cards/lead.md')).toBe('---\nname: lead\n---\nLead.\n');
  const off = report.notes.filter(({ message }) => message.includes('switched off'));
  expect(off.map(({ kind, file, line, message }) => `${kind} ${file}:${line} ${message}`)).toEqual([
    "lost agent-cards/kid.md:4 The hook 'phases.py:see' is not exported, because it is switched off. Switch it on to export it.",
    "lost agent-cards/lead.md:4 The hook 'hooks.py:audit' is not exported, because it is switched off. Switch it on to export it.",
    "lost agent-cards/lead.md:7 The hook 'gone.py:begin' is not exported, because it is switched off. Switch it on to export it.",
  ]);
  expect(report.notes.map(({ message }) => message).join()).not.toContain("'hooks_off");
});

test('the exported list runs the hooks that are on', () => {
  const of = folderOf({
    'lead.md': '---\nname: lead\ntool_hooks: [a.py:one, a.py:two, b.ts:three]\n---\nLead.\n',
    'a.py': 'async def one(ctx, args, call_next): ...\nasync def two(ctx, args, call_next): ...\n',
    'callboard.yaml': 'version: 1\nhooks_off: {lead: {tool_hooks: [a.py:one]}}\n',
  });
  const { folder: exported, report } = exportForFastAgent(of);
  const adapter = exported.get('callboard_hooks.py');
  expect(adapter?.kind === 'text' && adapter.text).toContain('hooks=["a.py:two"],');
  expect(report.notes.filter(({ kind }) => kind === 'lost').map(({ message }) => message)).toEqual([
    expect.stringContaining("'a.py:one' is not exported, because it is switched off"),
    expect.stringContaining("'b.ts:three' is not exported: fast-agent runs Python only"),
  ]);
});
