import { describe, expect, it } from 'vitest';
import { renameAgent } from '@/lib/cards/edit/rename-agent';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';

const cards = {
  'agent-cards/Lead.md': '---\nname: Lead\ndefault: true\nagents: [Clerk, Cook]\n---\nLead.\n',
  'agent-cards/Clerk.md': '---\nname: Clerk\n---\nHelp.\n',
  'agent-cards/Cook.md': '---\nname: Cook\n---\nCook.\n',
};
const folder = (settings: string) => folderOf({ ...cards, 'callboard.yaml': `version: 1\n${settings}\n` });
const issuesOf = (settings: string) =>
  readFolder(folder(settings)).issues.map(
    ({ severity, line, code, message }) => `${severity} ${line} ${code}: ${message}`,
  );

describe('the two switches of questions that climb', () => {
  it('are off by default, and read as they are written', () => {
    const { settings } = readFolder(folder(''));
    expect([settings.enable_sub_agent_hitl, settings.delegations]).toEqual([{}, {}]);
    const both = 'delegations: { Lead: { Clerk: { enable_hitl: true } } }\nenable_sub_agent_hitl: { Lead: true }';
    const read = readFolder(folder(both));
    expect(read.issues).toEqual([]);
    expect(read.settings.delegations).toEqual({ Lead: { Clerk: { enable_hitl: true } } });
    expect(read.settings.enable_sub_agent_hitl).toEqual({ Lead: true });
    expect(issuesOf('enable_sub_agent_hitl: { Lead: ask }')[0]).toMatch(/^error 2 settings-invalid: /);
  });

  it('a mismatch is a warning at its line; it names the other side', () => {
    expect(issuesOf('delegations:\n  Lead:\n    Clerk: { enable_hitl: true }')).toEqual([
      "warning 4 hitl-mismatch: 'Clerk' hands on what it asks people, but 'Lead' does not take it: this counts as off. Add 'enable_sub_agent_hitl: {Lead: true}', or remove 'enable_hitl'.",
    ]);
    expect(issuesOf('enable_sub_agent_hitl: { Lead: true }')).toEqual([
      "warning 2 hitl-mismatch: 'Lead' takes over children that wait for people, but none of its delegations has 'enable_hitl': this counts as off. Set it on a delegation, or remove this.",
    ]);
    expect(issuesOf('delegations: { Lead: { Clerk: { enable_hitl: false } } }')).toEqual([]);
    expect(issuesOf('enable_sub_agent_hitl: { Lead: false }')).toEqual([]);
  });

  it('the parent is looked at, not the child', () => {
    const wrong = 'delegations: { Lead: { Clerk: { enable_hitl: true } } }\nenable_sub_agent_hitl: { Clerk: true }';
    expect(issuesOf(wrong).map((issue) => issue.split(':')[0])).toEqual([
      'warning 2 hitl-mismatch',
      'warning 3 hitl-mismatch',
    ]);
  });

  it('the default of all edges is checked with each parent', () => {
    expect(issuesOf('delegation_defaults: { enable_hitl: true }')).toEqual([
      "warning 2 hitl-mismatch: Children hand on what they ask people, but these parents do not take it: Lead. For them this counts as off. Add them to 'enable_sub_agent_hitl', or remove 'enable_hitl'.",
    ]);
    expect(issuesOf('delegation_defaults: { enable_hitl: true }\nenable_sub_agent_hitl: { Lead: true }')).toEqual([]);
  });

  it('an agent that does not exist is named, and a renamed one is renamed here too', () => {
    expect(issuesOf('enable_sub_agent_hitl: { Laed: true }')[0]).toMatch(/settings-unknown-agent: .*'Laed'/);
    const renamed = renameAgent(folder('enable_sub_agent_hitl: { Lead: true } # both'), 'Lead', 'Boss');
    expect(renamed.ok && renamed.value.get('callboard.yaml')).toBe(
      'version: 1\nenable_sub_agent_hitl: { Boss: true } # both\n',
    );
  });
});
