import { globMatch } from '@/lib/base/fnmatch';
import { isRecord } from '@/lib/base/json';
import type { AgentCard } from '@/lib/cards/card';
import type { DialectNote } from '@/lib/cards/dialects/form/dialect';
import { namesIn, serverWord, type ToolName, toolNames } from './tool-names';

/**
 * What `permissions.deny` and `disabledMcpjsonServers` of the settings take from the agents of a folder. Source:
 * code.claude.com/docs/en/settings, *Permission settings*, and /sub-agents, *Disable specific subagents*.
 */
export interface Denials {
  /** True for an agent that the main agent may not call: `Agent`, `Agent(name)`, or `Task`, the former name of that tool. */
  isDenied(agent: string): boolean;
  /** Returns what an agent may use. Where a rule cannot be said here, it may use less than in Claude Code. */
  allowed(card: Pick<AgentCard, 'servers' | 'tools' | 'shell'>): Allowed;
  /** The rules that cannot be said here. */
  readonly notes: readonly DialectNote[];
}

type Allowed = Pick<AgentCard, 'servers' | 'tools' | 'shell' | 'toolsLeftOut'>;

/** `defined` are the servers of the project. */
export function denialsOf(settings: Readonly<Record<string, unknown>>, defined: readonly string[]): Denials {
  const { permissions, disabledMcpjsonServers: disabled } = settings;
  const rules = toolNames(isRecord(permissions) ? permissions.deny : undefined, defined);
  const calls = rules.filter(({ base }) => base === 'Agent' || base === 'Task');
  const agents = new Set(calls.flatMap(({ text }) => namesIn(/\(([^)]*)\)/.exec(text)?.[1]).map(agentName)));
  const isEveryAgent = calls.some(({ isNarrowed }) => !isNarrowed) || agents.has('*');
  const ofServers = rules.filter(({ server }) => server !== undefined);
  const whole = [
    ...namesIn(disabled),
    ...ofServers.flatMap(({ server, tool }) => (tool === undefined ? [server] : [])),
  ];
  const servers = new Set(whole.map((server) => serverWord(server ?? '')));
  const single = ofServers.filter(({ tool }) => tool !== undefined);
  const shell = rules.filter(({ base }) => base === 'Bash');
  return {
    isDenied: (agent) => isEveryAgent || agents.has(agent),
    allowed(card) {
      const allowed: Record<string, readonly string[]> = {};
      const leftOut: Record<string, readonly string[]> = {};
      const left = card.servers.filter((server) => {
        if (servers.has(serverWord(server))) return false;
        const denied = single.filter((rule) => serverWord(rule.server ?? '') === serverWord(server));
        const filter = card.tools[server];
        if (filter === undefined) {
          if (denied.length > 0) leftOut[server] = denied.flatMap(({ tool }) => tool ?? []);
          return !denied.some(isPattern);
        }
        const tools = filter.filter((tool) => !denied.some((rule) => globMatch(rule.tool ?? '*', tool)));
        if (tools.length > 0) allowed[server] = tools;
        return tools.length > 0;
      });
      const use = { servers: left, tools: allowed, shell: card.shell && shell.length === 0 };
      return Object.keys(leftOut).length === 0 ? use : { ...use, toolsLeftOut: leftOut };
    },
    notes: [
      ...noteOf(
        'denied-tools',
        single.filter(isPattern),
        'agents that have all tools of a server are without that server',
      ),
      ...noteOf(
        'denied-commands',
        shell.filter(({ isNarrowed }) => isNarrowed),
        'no agent has a shell',
      ),
      ...ownNote(rules.filter((rule) => !calls.includes(rule) && !ofServers.includes(rule) && !shell.includes(rule))),
    ],
  };
}

/** Tools that a run leaves out are named, so a pattern takes the server. */
function isPattern({ tool }: ToolName): boolean {
  return tool?.includes('*') === true;
}

/** Names are compared as those of cards, which have no spaces. */
function agentName(name: string): string {
  return name.trim().replaceAll(' ', '_');
}

function noteOf(key: string, rules: readonly ToolName[], instead: string): readonly DialectNote[] {
  if (rules.length === 0) return [];
  const say = (words: readonly string[]) =>
    `'permissions.deny' has rules that cannot be applied singly here, so ${instead}: ${words.join(', ')}.`;
  return [{ key, use: 'cannot-run', path: [], words: rules.map(({ text }) => text), say }];
}

function ownNote(rules: readonly ToolName[]): readonly DialectNote[] {
  if (rules.length === 0) return [];
  const say = (words: readonly string[]) =>
    `Rules of 'permissions.deny' for tools of Claude Code itself deny nothing here: ${words.join(', ')}. 'approvals' in callboard.yaml has rules for the tools of agents.`;
  return [{ key: 'denied-own-tools', use: 'cannot-run', path: [], words: rules.map(({ text }) => text), say }];
}
