import type { NamedTool, ToolWords } from '@/lib/cards/dialects/form/tool-access';

/** A name in `tools`: `read`, `search/codebase`, `agent`, `server/*` or `server/tool`. */
export interface ToolName extends NamedTool {
  /** True for the tool that calls other agents. */
  readonly isAgentTool: boolean;
}

/**
 * Reads a list of names, or one text with commas. `servers` are those of the project: a name without a slash is a server only if
 * the project has it. Sources: code.visualstudio.com/docs/agent-customization/custom-agents, *Header*, and
 * docs.github.com/copilot/reference/custom-agents-configuration, *Tool aliases*, which ignore case.
 */
export function toolNames(value: unknown, servers: readonly string[]): readonly ToolName[] {
  return namesIn(value).map((text) => toolNameOf(text, servers));
}

/** Returns the entries of a list, or of a text with commas. */
export function namesIn(value: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return texts.flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? [one.trim()] : []));
}

/** True for an agent that has every tool: it names none, or all. An empty list is no tool. */
export function hasEveryTool(tools: unknown): boolean {
  return tools === undefined || tools === null || namesIn(tools).includes('*');
}

function toolNameOf(text: string, servers: readonly string[]): ToolName {
  const word = text.toLowerCase();
  const isShell = shellNames.has(word);
  const isAgentTool = agentNames.has(word);
  const [server, tool] = isShell || isAgentTool ? [] : serverAndTool(text, servers);
  return { text, isShell, isAgentTool, server, tool: tool === '*' ? undefined : tool };
}

function serverAndTool(text: string, servers: readonly string[]): readonly (string | undefined)[] {
  if (servers.includes(text)) return [text];
  const slash = text.lastIndexOf('/');
  const server = text.slice(0, slash);
  if (slash < 1 || (!servers.includes(server) && isOwnSet(server))) return [];
  return [server, text.slice(slash + 1)];
}

/** True for a tool set of VS Code, and for an extension, which is named by publisher and name. */
function isOwnSet(name: string): boolean {
  return ownSets.has(name.toLowerCase()) || /^[\w-]+\.[\w-]+$/.test(name);
}

const ownSets: ReadonlySet<string> = new Set([
  ...[
    'agent',
    'browser',
    'edit',
    'execute',
    'new',
    'read',
    'runcommands',
    'runnotebooks',
    'runtasks',
    'search',
    'todo',
  ],
  ...['vscode', 'web'],
]);

const shellNames: ReadonlySet<string> = new Set([
  ...['execute', 'shell', 'bash', 'powershell', 'execute/runinterminal', 'runcommands', 'runcommands/runinterminal'],
  ...['runinterminal', 'run_in_terminal'],
]);

const agentNames: ReadonlySet<string> = new Set(['agent', 'custom-agent', 'task', 'runsubagent', 'agent/runsubagent']);

export const toolWords: ToolWords = {
  shell: 'execute',
  of: (server, tool) => `${server}/${tool ?? '*'}`,
};

/** Returns a list of names of tools, in the way in which it is written, after a server has got another name. */
export function renamedIn(value: unknown, from: string, to: string, servers: readonly string[]): unknown {
  const names = toolNames(value, servers);
  if (!names.some(({ server }) => server === from)) return value;
  return writeNames(
    names.map(({ text, server }) => (server === from ? to + text.slice(from.length) : text)),
    value,
  );
}

/** Writes a list in the way in which it was written: as a text with commas, or as a list. */
export function writeNames(names: readonly string[], before: unknown): string | readonly string[] {
  return typeof before === 'string' && names.length > 0 ? names.join(', ') : names;
}
