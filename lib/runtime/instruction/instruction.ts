import type { EpochMs } from '@/lib/base/ids';
import { isRecord } from '@/lib/base/json';
import type { AgentCard } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { Skill } from '@/lib/cards/read/skills';
import { joinPath } from '@/lib/cards/references';
import { urlsOf } from '@/lib/cards/url-placeholder';
import type { ServerInstructions, ToolDescriptor } from '@/lib/runtime/ports';

/** The instruction of a card that has none. The text is fast-agent's. */
export const defaultInstruction = `You are a helpful AI Agent.

{{serverInstructions}}
{{agentSkills}}
{{file_silent:AGENTS.md}}
{{env}}

The current date is {{currentDate}}.`;

export interface InstructionContext {
  readonly now: EpochMs;
  readonly folder: Folder;
  readonly skills: readonly Skill[];
  /** Texts that replace `{{url:…}}`, by address. A placeholder without a text stays as written. */
  readonly included?: ReadonlyMap<string, string>;
  /** The text that replaces `{{serverInstructions}}`, made by `describeServers`. It is empty by default. */
  readonly serverInstructions?: string;
}

export interface ResolvedInstruction {
  readonly text: string;
  /** Files that a `{{file:…}}` names but that are not in the folder. */
  readonly missing: readonly string[];
}

const months = 'January February March April May June July August September October November December'.split(' ');

/**
 * The system prompt of an agent. Filled in: `{{currentDate}}` (as `17 December 2025`, UTC), `{{agentName}}`,
 * `{{agentType}}`, `{{serverInstructions}}`, `{{agentSkills}}`, `{{env}}`, fast-agent's `{{workspaceRoot}}`, `{{hostPlatform}}`,
 * `{{pythonVer}}` and `{{model_specific}}`, `{{file:path}}` and `{{file_silent:path}}` (in
 * the project's folder, else beside the card), `{{url:address}}`, and the card's `template_vars`. `\{{` is a literal `{{`;
 * any other placeholder stays as written. Inserted text is not expanded again, except the text of an address: there all
 * placeholders but files are filled in, because foreign text must not read files.
 */
export function resolveInstruction(card: AgentCard, context: InstructionContext): ResolvedInstruction {
  const missing: string[] = [];
  const fill = (text: string, isIncluded: boolean): string =>
    text.replace(/\\\{\{|\{\{([^{}]+)\}\}/g, (whole, inner: string | undefined) => {
      if (inner === undefined) return '{{';
      if (isIncluded && /^\s*(?:file|file_silent|url):/.test(inner)) return whole;
      const included = inner.startsWith('url:') ? context.included?.get(inner.slice(4)) : undefined;
      return included === undefined
        ? (placeholder(card, inner.trim(), context, missing) ?? whole)
        : fill(included, true);
    });
  if (card.instruction === undefined) return { text: tidy(fill(defaultInstruction, false)), missing };
  return { text: card.instruction.includes('{{') ? fill(card.instruction, false) : card.instruction, missing };
}

function placeholder(
  card: AgentCard,
  name: string,
  context: InstructionContext,
  missing: string[],
): string | undefined {
  const include = /^(file|file_silent):(.*)$/s.exec(name);
  if (include) {
    const [, kind, path = ''] = include;
    const text = includedText(card, path.trim(), context.folder);
    if (text === undefined && kind === 'file') missing.push(path.trim());
    return text ?? '';
  }
  switch (name) {
    case 'currentDate':
      return longDate(context.now);
    case 'agentName':
      return card.name;
    case 'agentType':
      return card.type;
    case 'serverInstructions':
      return context.serverInstructions ?? '';
    case 'agentSkills':
      return describeSkills(context.skills);
    case 'env':
      return `Environment:\n- Client: Callboard\n- Workspace: the project's folder (${context.folder.size} files)`;
    default:
      return templateVariable(card, name) ?? ofFastAgent(name);
  }
}

/**
 * Returns the value of a placeholder that describes fast-agent's own process. Paths are relative to the project's folder,
 * because tools see no other. The machine is a sandbox whose worker may change, so it is not described.
 */
function ofFastAgent(name: string): string | undefined {
  switch (name) {
    case 'workspaceRoot':
      return '.';
    case 'hostPlatform':
      return 'Callboard sandbox';
    case 'pythonVer':
      return '3.9 or newer';
    // fast-agent has special text for a few models only; here it is always empty.
    case 'model_specific':
      return '';
    default:
      return undefined;
  }
}

function templateVariable(card: AgentCard, name: string): string | undefined {
  const values = card.requestParams.template_vars;
  if (!isRecord(values) || !Object.hasOwn(values, name)) return undefined;
  const value = values[name];
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function includedText(card: AgentCard, path: string, folder: Folder): string | undefined {
  const place = joinPath('', path);
  const beside = joinPath(card.file, path);
  const file =
    (place === undefined ? undefined : folder.get(place)) ?? (beside === undefined ? undefined : folder.get(beside));
  return file?.kind === 'text' ? file.text : undefined;
}

/** True if the instruction or a text it includes has a placeholder for the servers' instructions. */
export function wantsServers(card: AgentCard, included: ReadonlyMap<string, string>): boolean {
  const place = '{{serverInstructions}}';
  if (card.instruction === undefined || card.instruction.includes(place)) return true;
  return urlsOf(card.instruction).some((url) => included.get(url)?.includes(place) === true);
}

/** Describes servers in fast-agent's words. Servers without instructions are left out. */
export function describeServers(
  told: readonly ServerInstructions[],
  tools: readonly ToolDescriptor[],
  searchable: readonly ToolDescriptor[] = [],
): string {
  return told
    .map(({ serverName, text }) => {
      const names = tools.filter((tool) => tool.serverName === serverName).map(({ name }) => name);
      const hidden = searchable.filter((tool) => tool.serverName === serverName && !names.includes(tool.name)).length;
      const found = hidden > 0 ? [`${hidden} tool${hidden === 1 ? '' : 's'}; find_tools finds them`] : [];
      const list = [...names, ...found].join(', ') || 'No tools available';
      return `<fastagent:mcp-server name="${serverName}">\n<tools>${list}</tools>\n<instructions>\n${text}\n</instructions>\n</fastagent:mcp-server>`;
    })
    .join('\n\n');
}

/** Describes the skills that `read_skill` reads. The text is empty without skills. */
export function describeSkills(skills: readonly Skill[]): string {
  if (skills.length === 0) return '';
  const list = skills.map(
    ({ name, description, file }) =>
      `<skill>\n  <name>${name}</name>\n  <description>${description}</description>\n  <location>${file}</location>\n</skill>`,
  );
  return [
    'Skills hold instructions for special tasks. When a task fits one, read its SKILL.md with the read_skill tool first.',
    '<available_skills>',
    ...list,
    '</available_skills>',
  ].join('\n');
}

/** Removes gaps: the default text has a line for each part, and some parts may be empty. */
function tidy(text: string): string {
  return text.replaceAll(/\n{3,}/g, '\n\n').trim();
}

function longDate(now: EpochMs): string {
  const date = new Date(now);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
