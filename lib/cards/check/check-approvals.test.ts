import { describe, expect, it } from 'vitest';
import { FolderDraft } from '@/lib/cards/edit/draft';
import { renameAgent } from '@/lib/cards/edit/rename-agent';
import { renameServer } from '@/lib/cards/edit/rename-server';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';

import { agentId, projectGraph } from '@/lib/graph/project';
import { removeNodes } from '@/lib/graph/removal';

const cards = {
  'fast-agent.yaml': 'mcp:\n  servers:\n    mail: { url: "http://127.0.0.1:9/mcp" }\n',
  'agent-cards/Lead.md': '---\nname: Lead\ndefault: true\nagents: [Clerk]\n---\nLead.\n',
  'agent-cards/Clerk.md': '---\nname: Clerk\nservers: [mail]\nhuman_input: true\n---\nHelp.\n',
};

function read(approvals: string, more: Readonly<Record<string, string>> = {}) {
  const text = `version: 1\napprovals:\n${approvals.replaceAll(/^/gm, '  ')}\n`;
  return readFolder(folderOf({ ...cards, 'callboard.yaml': text, ...more }));
}

const issuesOf = (approvals: string, more?: Readonly<Record<string, string>>) =>
  read(approvals, more).issues.map(({ severity, line, code, message }) => `${severity} ${line} ${code}: ${message}`);

describe('approvals of callboard.yaml', () => {
  it('are read as they are written', () => {
    const text = `default: allow
mode: ask
attachments: ask
hold_s: 5
agents: {Clerk: ask}
rules:
  - tools: ["mail__*", agent__Clerk, __human_input]
    agents: [Clerk, Lead]
    effect: ask
    edit: false
    on_denied: fail
    limit_s: 3600
    at_limit: fail`;
    const { settings, issues } = read(text);
    expect(issues).toEqual([]);
    expect(settings.approvals).toEqual({
      default: 'allow',
      mode: 'ask',
      attachments: 'ask',
      hold_s: 5,
      agents: { Clerk: 'ask' },
      rules: [
        {
          tools: ['mail__*', 'agent__Clerk', '__human_input'],
          agents: ['Clerk', 'Lead'],
          effect: 'ask',
          edit: false,
          on_denied: 'fail',
          limit_s: 3600,
          at_limit: 'fail',
        },
      ],
    });
    expect(readFolder(folderOf(cards)).settings.approvals).toEqual({});
  });

  it.each([
    [
      'default: maybe',
      "error 3 settings-invalid: 'approvals.default' is the string 'maybe': use allow, ask or deny. Correct it.",
    ],
    [
      'rules: [{ tools: ["mail__*"], effect: prompt }]',
      "error 3 settings-invalid: 'approvals.rules.0.effect' is the string 'prompt': use allow, ask or deny. Correct it.",
    ],
    [
      'mode: [approve_all, reject_all]',
      "error 3 settings-invalid: 'approvals.mode' is a list: use one mode: ask, approve_all, reject_all. Correct it.",
    ],
    ['approve_all: true', "error 3 settings-invalid: callboard.yaml has no key 'approvals.approve_all'. Remove it."],
    [
      'agents: { Clerk: never }',
      "error 3 settings-invalid: 'approvals.agents.Clerk' is the string 'never': use allow, ask or deny. Correct it.",
    ],
    [
      'attachments: deny',
      "error 3 settings-invalid: 'approvals.attachments' is the string 'deny': use allow or ask. Correct it.",
    ],
  ])('refuse %s, so that no run begins with half a policy', (approvals, issue) => {
    expect(issuesOf(approvals)).toEqual([issue]);
  });

  it('name only agents that exist, in an error with the next step', () => {
    expect(
      issuesOf('agents: { Clark: ask }\nrules: [{ tools: ["mail__*"], agents: [Clerk, Nobody], effect: ask }]'),
    ).toEqual([
      "error 3 approval-agent: 'approvals' names agent 'Clark', which does not exist. Correct the name, or remove it. Agents: Clerk, Lead.",
      "error 4 approval-agent: 'approvals' names agent 'Nobody', which does not exist. Correct the name, or remove it. Agents: Clerk, Lead.",
    ]);
    // An unreadable card is known by its name, and a run may create an agent.
    expect(
      issuesOf('agents: { Broken: ask }', { 'agent-cards/Broken.md': '---\nname: Broken\ntype: [\n---\nx\n' }).filter(
        (issue) => issue.includes('approval'),
      ),
    ).toEqual([]);
    expect(issuesOf('agents: { made: ask }\n\n', {}).length).toBe(1);
    const creating = 'agents: { made: ask }\nrules: [{ tools: [agent__made], effect: ask }]';
    const text = `version: 1\napprovals:\n${creating.replaceAll(/^/gm, '  ')}\ntoolsets: { Lead: { delegation: { create: allowed } } }\n`;
    expect(
      readFolder(folderOf({ ...cards, 'callboard.yaml': text })).issues.map(
        ({ severity, code }) => `${severity} ${code}`,
      ),
    ).toEqual(['warning settings-unknown-agent']);
  });

  it('warn about a rule that matches no tool, for all agents or for those it names', () => {
    const rule = (tools: string, more = '') => issuesOf(`rules: [{ tools: [${tools}], effect: ask${more} }]`);
    expect(rule('"mail__*", mail__send, "*", "m*l__send", worker_call')).toEqual([
      "warning 3 approval-unused: The rule is for tools 'worker_call', but no agent has such a tool. Correct the pattern, or remove it.",
    ]);
    expect(rule('"mail__*"', ', agents: [Lead]')).toEqual([
      "warning 3 approval-unused: The rule is for tools 'mail__*', but none of Lead has such a tool. Correct the pattern, or remove it.",
    ]);
    expect(rule('agent__Clerk', ', agents: [Lead]')).toEqual([]);
    expect(rule('')).toEqual([
      'warning 3 approval-unused: The rule names no tools, so it counts for no call. Name some, or remove it.',
    ]);
  });

  it('warn about settings of a rule that do nothing', () => {
    const rule = (effect: string, more: string) =>
      issuesOf(`rules:\n  - tools: ["*"]\n    effect: ${effect}\n    ${more}`).map((issue) => issue.split(':')[0]);
    expect(rule('allow', 'edit: false')).toEqual(['warning 6 approval-unused']);
    expect(rule('deny', 'limit_s: 5')).toEqual(['warning 6 approval-unused']);
    expect(rule('ask', 'at_limit: fail')).toEqual(['warning 6 approval-unused']);
    expect(rule('allow', 'on_denied: fail')).toEqual(['warning 6 approval-unused']);
    expect(rule('deny', 'on_denied: fail')).toEqual([]);
  });
});

describe('approvals while a project is edited', () => {
  const settings = `version: 1
approvals: # who asks
  agents: {Clerk: ask,  Lead: deny} # odd  spacing
  rules:
    - {tools: ["mail__*", mail__send, agent__Clerk], agents: [Clerk], effect: ask}
`;
  const folder = folderOf({ ...cards, 'callboard.yaml': settings });

  it('follow an agent and a server that get another name, and keep every other character', () => {
    const renamed = renameAgent(folder, 'Clerk', 'Agent');
    expect(renamed.ok && renamed.value.get('callboard.yaml')).toBe(
      settings.replace('{Clerk:', '{Agent:').replace('agent__Clerk', 'agent__Agent').replace('[Clerk]', '[Agent]'),
    );
    const moved = renameServer(folder, 'mail', 'post');
    expect(moved.ok && moved.value.get('callboard.yaml')).toBe(settings.replaceAll('mail__', 'post__'));
  });

  it('are never widened by the removal of an agent', () => {
    const parsed = readFolder(folder);
    const removed = removeNodes(folder, parsed, projectGraph(parsed), [agentId('Clerk')]);
    const text = removed.ok ? removed.value.get('callboard.yaml') : undefined;
    // A rule without its only agent would be about nobody, and a rule without the list about everybody.
    expect(text).not.toContain('effect: ask');
    expect(text).toContain('{Lead: deny} # odd  spacing');
  });

  it('are changed in place by the forms', () => {
    const draft = new FolderDraft(folder);
    draft.yaml('callboard.yaml', { op: 'set', path: ['approvals', 'agents', 'Clerk'], value: 'deny' });
    draft.yaml('callboard.yaml', { op: 'set', path: ['approvals', 'rules', 0, 'effect'], value: 'deny' });
    const changes = draft.changes();
    expect(changes.ok && changes.value.get('callboard.yaml')).toBe(
      settings.replace('Clerk: ask', 'Clerk: deny').replace('effect: ask', 'effect: deny'),
    );
  });
});
