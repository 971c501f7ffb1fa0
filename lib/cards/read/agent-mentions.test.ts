import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { renameAgent } from '@/lib/cards/edit/rename-agent';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { childToolName } from '@/lib/cards/tool-name';
import { agentId, projectGraph } from '@/lib/graph/project';
import { removeNodes } from '@/lib/graph/removal';
import { agentMentions, childTools } from './agent-mentions';

const settings = `version: 1
entry: kid
delegations:
  lead:
    kid: { timeout_ms: 5 }
  kid:
    kid: { recursive: true }
scripts:
  kid:
    - turns: [{ text: kid }]
  lead:
    - turns:
        - calls:
            - { tool: agent__kid, arguments: { tool: agent__kid, worker: kid } }
            - { tool: worker_call, arguments: { worker: kid, message: kid } }
run_hooks:
  - block: { when: { tool: agent__kid } }
agent_hooks:
  kid:
    - log: { when: { tool: [agent__kid, agent__kidney] } }
  lead:
    - block: { when: { tool: agent__kid } }
    - log: { when: { tool: [agent__kid, agent__kidney] } }
    - cache: { when: { tool: [agent__kid] } }
  kidney:
    - block: { when: { source: mcp, tool: [agent__kid] } }
toolsets:
  kid:
    delegation: { allow_workers: [kid, "*"] }
  lead:
    delegation: { allow_workers: [kid] }
    worker_tools: { workers: [kidney, kid, kidney] }
tool_groups:
  kid:
    groups: { a: { agents: [kidney] } }
  lead:
    groups:
      helpers: { agents: [kid, kidney], tools: [agent__kid, "agent__kid*"] }
canvas:
  positions: { "agent:kid": { x: 1, y: 2 }, "agent:kidney": { x: 1, y: 2 } }
`;
const cards = {
  'lead.md': '---\nname: lead\ndefault: true\nagents: [kid, kidney]\n---\nLead.\n',
  'kid.md': '---\nname: kid\n---\nHelp.\n',
  'kidney.md': '---\nname: kidney\n---\nHelp.\n',
};
const folder = folderOf({ ...cards, 'callboard.yaml': settings });

/** The paths that still name the agent: `toolsets.lead.worker_tools.workers.1`. */
const mentions = (text: string, name: string) =>
  agentMentions(parse(text), childTools(parse(text), [name])).flatMap(({ agent, path, as }) =>
    agent === name ? [`${path.join('.')} ${as}`] : [],
  );

describe('where callboard.yaml names an agent', () => {
  it('finds every place, inner ones and later items first', () => {
    expect(mentions(settings, 'kid')).toEqual([
      'scripts.lead.0.turns.0.calls.1.arguments.worker value',
      'scripts.lead.0.turns.0.calls.0.tool tool',
      'agent_hooks.lead.2.cache.when.tool.0 tool',
      'agent_hooks.lead.1.log.when.tool.0 tool',
      'agent_hooks.kidney.0.block.when.tool.0 tool',
      'agent_hooks.kid.0.log.when.tool.0 tool',
      'tool_groups.lead.groups.helpers.tools.0 tool',
      'tool_groups.lead.groups.helpers.agents.0 item',
      'agent_hooks.lead.0.block.when.tool tool',
      'toolsets.lead.worker_tools.workers.1 item',
      'toolsets.lead.delegation.allow_workers.0 item',
      'toolsets.kid.delegation.allow_workers.0 item',
      'run_hooks.0.block.when.tool tool',
      'delegations.lead.kid key',
      'delegations.kid.kid key',
      'canvas.positions.agent:kid node',
      'toolsets.kid key',
      'tool_groups.kid key',
      'scripts.kid key',
      'delegations.kid key',
      'agent_hooks.kid key',
      'entry value',
    ]);
  });

  it('renaming takes them all along, and back again gives the same text', () => {
    const there = renameAgent(folder, 'kid', 'child');
    if (!there.ok) throw new Error(there.error.message);
    const renamed = there.value.get('callboard.yaml') ?? '';
    expect(mentions(renamed, 'kid')).toEqual([]);
    expect(mentions(renamed, 'child')).toHaveLength(mentions(settings, 'kid').length);
    const back = renameAgent(
      folderOf({ ...cards, ...Object.fromEntries(there.value), 'callboard.yaml': renamed }),
      'child',
      'kid',
    );
    expect(back.ok && back.value.get('callboard.yaml')).toBe(settings);
  });

  it('renaming follows the names of tools that differ from the agent, but not those that a delegation sets', () => {
    const written = (kid: string, tool: string) => `version: 1
tool_naming: call_
delegations: { lead: { ${kid}: { tool_name: ask } } }
approvals: { rules: [{ tools: [ask, ${tool}], effect: allow }] }
`;
    const aide = {
      ...cards,
      'kid.md': '---\nname: Aide\n---\nHelp.\n',
      'callboard.yaml': written('Aide', 'call_aide'),
    };
    const renamed = renameAgent(folderOf(aide), 'Aide', 'Café');
    expect(renamed.ok && renamed.value.get('callboard.yaml')).toBe(written('Café', childToolName('Café', 'call_')));
  });

  it('deleting leaves no name behind that the checker would report, and no list of workers wider than it was', () => {
    const parsed = readFolder(folder);
    const gone = removeNodes(folder, parsed, projectGraph(parsed), [agentId('kid')]);
    if (!gone.ok) throw new Error(gone.error.message);
    const text = gone.value.get('callboard.yaml') ?? '';
    expect(mentions(text, 'kid')).toEqual([
      'scripts.lead.0.turns.0.calls.1.arguments.worker value',
      'scripts.lead.0.turns.0.calls.0.tool tool',
      'run_hooks.0.block.when.tool tool',
    ]);
    expect(parse(text).agent_hooks).toEqual({ lead: [{ log: { when: { tool: ['agent__kidney'] } } }] });
    expect(parse(text).tool_groups).toEqual({
      lead: { groups: { helpers: { agents: ['kidney'], tools: ['agent__kid*'] } } },
    });
    expect(parse(text).toolsets).toEqual({
      lead: { delegation: { allow_workers: [] }, worker_tools: { workers: ['kidney', 'kidney'] } },
    });
    const { 'kid.md': _removed, ...others } = cards;
    const after = readFolder(
      folderOf({ ...others, 'lead.md': gone.value.get('lead.md') ?? '', 'callboard.yaml': text }),
    );
    expect(after.issues.filter(({ code }) => code === 'settings-unknown-agent')).toEqual([]);
  });

  it('deleting keeps a hook whose tool may come from a server or a file', () => {
    const plain = folderOf({
      ...cards,
      'callboard.yaml': 'version: 1\ntool_naming: plain\nagent_hooks:\n  lead:\n    - block: { when: { tool: kid } }\n',
    });
    const parsed = readFolder(plain);
    const gone = removeNodes(plain, parsed, projectGraph(parsed), [agentId('kid')]);
    expect(gone.ok && [...gone.value.keys()]).toEqual(['kid.md', 'lead.md']);
  });
});
