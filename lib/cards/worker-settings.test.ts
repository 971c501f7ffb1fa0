import { expect, it } from 'vitest';
import { folderOf } from './files';
import { readFolder } from './project/read-folder';

function issuesOf(settings: string): string[] {
  const card = (name: string, agents = '') => `---\nname: ${name}\n${agents}---\nDo.\n`;
  const { issues } = readFolder(
    folderOf({
      'agent-cards/lead.md': card('lead', 'agents: [kid]\n'),
      'agent-cards/kid.md': card('kid'),
      'agent-cards/free.md': card('free'),
      'callboard.yaml': `version: 1\n${settings}`,
    }),
  );
  return issues.map(
    ({ code, line, message }) => `${code} ${line} ${/'[^']*' names agent '[^']*'/.exec(message)?.[0] ?? ''}`,
  );
}

it('names of agents in toolsets and tool groups must exist', () => {
  const settings = `toolsets:
  lead:
    delegation: { allow_workers: ["*", gone] }
    worker_tools: { workers: [away] }
  nobody: {}
tool_groups:
  lead: { groups: { box: { agents: [lost] } } }
`;
  expect(issuesOf(settings)).toEqual([
    "settings-unknown-agent 4 'toolsets' names agent 'gone'",
    "settings-unknown-agent 5 'toolsets' names agent 'away'",
    "settings-unknown-agent 6 'toolsets' names agent 'nobody'",
    "settings-unknown-agent 8 'tool_groups' names agent 'lost'",
  ]);
});

it('options of a delegation to a worker are used', () => {
  const delegations = 'delegations:\n  lead:\n    free: { timeout_ms: 5 }\n';
  expect(issuesOf(delegations)).toEqual(['settings-unused-delegation 4 ']);
  expect(issuesOf(`${delegations}toolsets:\n  lead: { delegation: { allow_workers: [free] } }\n`)).toEqual([]);
});

it('a mistake in one agent leaves the others as they are', () => {
  const folder = folderOf({
    'callboard.yaml':
      'version: 1\ntoolsets:\n  a: { delegation: { allow: [] } }\n  b: { worker_tools: { workers: [a] } }\n',
  });
  expect(readFolder(folder).settings.toolsets).toEqual({
    a: { delegation: {} },
    b: { worker_tools: { workers: ['a'] } },
  });
});

it('a delegation with a memory is not cached', () => {
  expect(issuesOf('delegations:\n  lead:\n    kid: { cache: true, session: reuse }\n')).toEqual(['cache-ignored 4 ']);
  expect(issuesOf('delegations:\n  lead:\n    kid: { cache: true, isolation: { pool: 2 } }\n')).toEqual([]);
});

it('a wrong expose_as_tools is told what may stand there', () => {
  const text = 'version: 1\ntoolsets: {lead: {delegation: {expose_as_tools: all}}}\n';
  const { issues } = readFolder(folderOf({ 'agent-cards/lead.md': '---\nname: lead\n---\n', 'callboard.yaml': text }));
  expect(issues.map(({ message }) => message)).toEqual([
    "'toolsets.lead.delegation.expose_as_tools' is the string 'all': use true, false or only. Correct it.",
  ]);
});
