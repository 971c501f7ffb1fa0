import { describe, expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { renameAgent } from './rename-agent';

const files = {
  'cards/lead.md': '---\nname: lead\nagents:\n  - kid # mine\n  - kidney\n---\nAsk kid.\n',
  'cards/kid.md': '---\ntype: agent\n---\nI am kid.\n',
  'cards/kidney.md': "---\nname: 'kidney'\n---\n",
  'cards/chain.md': '---\ntype: chain\nsequence: [kid, kidney, kid]\n---\n',
  'cards/par.md': '---\ntype: parallel\nfan_out: [kid]\nfan_in: "kid"\n---\n',
  'cards/eval.md': '---\ntype: evaluator_optimizer\ngenerator: kid\nevaluator: kidney\n---\n',
  'cards/maker.yaml': 'type: MAKER\nworker: kid\n',
  'callboard.yaml': `version: 1
entry: kid
delegations:
  lead:
    kid: { timeout_ms: 5 }
  kid: {}
scripts:
  kid: # one
    - turns: [{ text: kid }]
  lead:
    - turns:
        - calls:
            - tool: agent__kid
              arguments: { tool: agent__kid }
            - tool: agent__kidney
canvas:
  positions:
    "agent:kid": { x: 1, y: 2 }
`,
};

function renamed(from: string, to: string, record: Record<string, string> = files): Record<string, string> {
  const result = renameAgent(folderOf(record), from, to);
  if (!result.ok) throw new Error(result.error.message);
  return Object.fromEntries(result.value);
}

describe('renameAgent', () => {
  it('takes the agent’s hooks along, and guards that name its tool', () => {
    const settings = (name: string) => `version: 1
run_hooks:
  - block: { when: { tool: agent__${name} } } # not this one
  - block: { when: { tool: [agent__kidney, agent__${name}, 'agent__k*'] } }
agent_hooks:
  ${name}:
    - log: {}
`;
    const record = {
      'cards/kid.md': '---\nname: kid\n---\nHelp.\n',
      'callboard.yaml': settings('kid'),
    };
    expect(renamed('kid', 'small', record)['callboard.yaml']).toBe(settings('small'));
  });

  it('takes every reference along and touches no other line', () => {
    expect(renamed('kid', 'Small One')).toEqual({
      'cards/lead.md': '---\nname: lead\nagents:\n  - Small_One # mine\n  - kidney\n---\nAsk kid.\n',
      'cards/kid.md': '---\ntype: agent\nname: Small_One\n---\nI am kid.\n',
      'cards/chain.md': '---\ntype: chain\nsequence: [Small_One, kidney, Small_One]\n---\n',
      'cards/par.md': '---\ntype: parallel\nfan_out: [Small_One]\nfan_in: "Small_One"\n---\n',
      'cards/eval.md': '---\ntype: evaluator_optimizer\ngenerator: Small_One\nevaluator: kidney\n---\n',
      'cards/maker.yaml': 'type: MAKER\nworker: Small_One\n',
      'callboard.yaml': `version: 1
entry: Small_One
delegations:
  lead:
    Small_One: { timeout_ms: 5 }
  Small_One: {}
scripts:
  Small_One: # one
    - turns: [{ text: kid }]
  lead:
    - turns:
        - calls:
            - tool: agent__Small_One
              arguments: { tool: agent__kid }
            - tool: agent__kidney
canvas:
  positions:
    "agent:Small_One": { x: 1, y: 2 }
`,
    });
  });

  it('takes workers and groups along', () => {
    const settings = (name: string) => `version: 1
toolsets:
  ${name}:
    delegation: { allow_workers: [lead, ${name}, "*"] } # kid
    worker_tools: { workers: [${name}] }
tool_groups:
  lead:
    groups:
      kid: { agents: [${name}], tools: [kid] }
scripts:
  lead:
    - turns:
        - calls:
            - tool: worker_call
              arguments: { worker: ${name}, input_data: kid }
`;
    const changed = renamed('kid', 'pal', { ...files, 'callboard.yaml': settings('kid') });
    expect(changed['callboard.yaml']).toBe(settings('pal'));
  });

  it('gives the folder back when renamed back', () => {
    const there = { ...files, ...renamed('kidney', 'organ') };
    expect({ ...there, ...renamed('organ', 'kidney', there) }).toEqual(files);
  });

  it('keeps the cards free of new issues', () => {
    const before = readFolder(folderOf(files)).issues.map(({ code, file, line }) => ({ code, file, line }));
    const after = readFolder(folderOf({ ...files, ...renamed('kidney', 'organ') }));
    expect(after.issues.map(({ code, file, line }) => ({ code, file, line }))).toEqual(before);
  });

  it.each([
    ['nobody', 'x', 'unknown-agent'],
    ['kid', ' ', 'empty-name'],
    ['kid', 'kidney', 'name-taken'],
  ])('refuses %s → %j', (from, to, code) => {
    const result = renameAgent(folderOf(files), from, to);
    expect(!result.ok && result.error.code).toBe(code);
  });

  it('changes nothing for the same name', () => {
    expect(renamed('kid', ' kid ')).toEqual({});
  });

  it('waits for a card that cannot be read', () => {
    const result = renameAgent(folderOf({ ...files, 'cards/bad.md': '---\nagents: [kid\n---\n' }), 'kid', 'x');
    expect(!result.ok && result.error.file).toBe('cards/bad.md');
  });

  it.each([
    ['cards/bad.md', '---\nagents: [kid\n---\n', 'cards/bad.md cannot be read (line 2)'],
    ['callboard.yaml', 'version: 1\nhooks_off: {kid: {}}\napprovals: [\n', 'callboard.yaml cannot be read (line '],
    ['callboard.yaml', 'tool_groups: {x: {tools: [agent__kid]}}\napprovals: [\n', 'callboard.yaml cannot be read'],
  ])('is refused with the file, its line and the next step: %s', (file, text, said) => {
    const result = renameAgent(folderOf({ ...files, [file]: text }), 'kid', 'x');
    if (result.ok) throw new Error('renamed');
    expect(result.error).toMatchObject({ file, message: expect.stringContaining(said) });
    expect(result.error.message).toMatch(/and may name 'kid'\. Correct it before renaming\.$/);
  });

  it('is done when an unreadable file has the name only inside other words', () => {
    const text = '---\nagents: [kidney\n---\nSkid.\n';
    expect(renameAgent(folderOf({ ...files, 'cards/bad.md': text }), 'kid', 'x').ok).toBe(true);
  });

  it('parts two cards of one name', () => {
    const twins = { 'a.md': '---\nname: x\n---\n', 'b.md': '---\nname: x\nagents: [x]\n---\n' };
    const result = renameAgent(folderOf(twins), 'x', 'y', 'b.md');
    expect(result.ok && Object.fromEntries(result.value)).toEqual({ 'b.md': '---\nname: y\nagents: [x]\n---\n' });
  });
});
