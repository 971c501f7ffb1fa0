import { globMatch } from '@/lib/base/fnmatch';
import type { Issue } from '@/lib/base/issue';
import { isJson, isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { Card } from '@/lib/cards/card';
import { fileOfKey } from '@/lib/cards/config-files';
import { mayLackItsFile } from '@/lib/cards/dialects/find-dialect';
import { FolderDraft } from '@/lib/cards/edit/draft';
import { cannotRead, unreadableCard, unreadableSettings } from '@/lib/cards/edit/unreadable';
import { isIgnoredFolder, roleByName, settingsName } from '@/lib/cards/file-role';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { agentMentions, childTools } from '@/lib/cards/read/agent-mentions';
import { fieldOf } from '@/lib/cards/read/read-field';
import { isSecretFile } from '@/lib/cards/secret-files';
import { childToolName, type ToolNaming } from '@/lib/cards/tool-name';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import type { ReadProject } from '@/lib/graph/changes/project-side';
import type { NodeId } from '@/lib/graph/graph';
import { hookChain } from '@/lib/graph/hook-chain';
import { agentsByFile, serversOf } from '@/lib/graph/impact/agent-files';
import { type ReliedOn, reliedOn } from './relied-on';
import { listOf, textsIn } from './settings-values';
import { serversFileOf, sliceConfig } from './slice-config';

/** Agents with all that belongs to them, as a project of its own. */
export interface Slice {
  /** Cards, the files that they need, their servers in `fast-agent.yaml`, and their part of `callboard.yaml`. */
  readonly folder: Folder;
  /** What the agents need and the folder does not have. */
  readonly beside: Beside;
}

/**
 * True for files that neither leave nor enter a project with an agent: configs and settings, of which only a part comes along, files
 * that hold secrets, and folders that are no part of a project.
 */
export function staysBehind(path: string): boolean {
  const role = roleByName(path);
  return isIgnoredFolder(path) || isSecretFile(path) || role === 'config' || role === 'secrets' || role === 'settings';
}

export interface Beside {
  /** Files that are not text, or hold secrets. */
  readonly files: readonly string[];
  /** Servers that have values in a secrets file, which is never copied. */
  readonly secrets: readonly string[];
  /** What else they rely on. A copy that an earlier version made does not have it. */
  readonly reliedOn?: ReliedOn | undefined;
  /** Files with the instruction of the main agent of another program. The project has its own main agent. */
  readonly rules?: readonly string[] | undefined;
}

/**
 * Cuts agents out of a project, with their hooks, options of delegations, approvals, tool groups, code, servers, skills and
 * scripts. `cards` are the files of their cards. `others` are notes, groups and servers (`note:…`, `group:…`, `server:…`) that come
 * along; a group also comes if all its members do.
 *
 * Of `callboard.yaml` it takes what is written under the name of an agent, each rule that holds for one, and what decides how
 * the rest is read, such as `tool_naming`. The error names a file that cannot be read and says what belongs to the agents: without
 * it they would come without their guards.
 */
export function sliceProject(
  project: ReadProject,
  cards: ReadonlySet<string>,
  others: ReadonlySet<NodeId>,
): Result<Slice, Issue> {
  const { folder, parsed } = project;
  const chosen = parsed.cards.filter(({ file }) => cards.has(file) && !mayLackItsFile(file));
  const names = new Set(chosen.map(({ name }) => name));
  const servers = new Set([...chosen.flatMap((card) => [...serversOf(card)]), ...serversAmong(others)]);
  const [unread] = [
    ...[...cards].flatMap((file) => (mayLackItsFile(file) ? [] : (unreadableCard(folder, parsed, file) ?? []))),
    ...unreadableSettings(folder, parsed).filter(
      ({ file }) => servers.size > 0 || parsed.roles.get(file) !== 'secrets',
    ),
  ];
  if (unread !== undefined) return err(cannotRead(unread, 'and has parts of what is copied. Correct it first.'));
  const files: string[] = [];
  const texts = new Map<string, FolderFile>();
  const needed = agentsByFile(project);
  for (const [path, file] of folder) {
    const isOther = (parsed.roles.get(path) === 'card' && !cards.has(path)) || isOfDialect(parsed, path);
    const isNeeded = cards.has(path) || [...(needed.get(path) ?? [])].some((name) => names.has(name));
    if (isOther || !isNeeded) continue;
    if (file.kind === 'text' && !staysBehind(path)) texts.set(path, file);
    else if (file.kind !== 'text' || isSecretFile(path)) files.push(path);
  }
  const dialect = chosen.length === 0 ? undefined : parsed.dialect;
  for (const [file, part] of configFilesOf(configOf(project, chosen, servers) ?? {}, serversFileOf(dialect))) {
    texts.set(file, yamlFile(file, part));
  }
  const settings = settingsOf(project, chosen, servers, others);
  if (settings !== undefined) texts.set(settingsName, yamlFile(settingsName, settings));
  const secrets = [...servers].filter(serverInSecrets(project));
  return ok({ folder: texts, beside: { files, secrets, reliedOn: reliedOn(project, chosen) } });
}

/** True for the rules of a dialect's main agent and its servers, which a project has itself. */
function isOfDialect({ dialect }: ParsedFolder, path: string): boolean {
  return dialect !== undefined && mayLackItsFile(path);
}

function serversAmong(ids: ReadonlySet<NodeId>): string[] {
  return [...ids].flatMap((id) => (id.startsWith('server:') ? [id.slice('server:'.length)] : []));
}

/**
 * A whole folder as a slice: every agent, with its notes and groups, and the other files but those that stay behind. The error names a
 * file that cannot be read and that has, or whose agent is named in, the settings of agents.
 */
export function sliceFolder(project: ReadProject): Result<Slice, Issue> {
  const { folder, parsed } = project;
  const { notes, groups } = parsed.settings.canvas;
  const marks = [...notes.map(({ id }) => `note:${id}`), ...groups.map(({ id }) => `group:${id}`)];
  const settings = new FolderDraft(folder).read(settingsName, []);
  const tools = childTools(
    settings,
    [...parsed.unread.values()].map(({ name }) => name),
  );
  const said = new Set(agentMentions(settings, tools).map(({ agent }) => agent));
  // Beside cards, a faulty text that nothing is said of, such as a page of a blog, comes as a file.
  const isAlone = parsed.cards.length === 0;
  const unread = [...parsed.unread].flatMap(([file, { name }]) => (isAlone || said.has(name) ? [file] : []));
  const cards = [...parsed.cards.map(({ file }) => file), ...unread];
  const sliced = sliceProject(project, new Set(cards), new Set(marks));
  if (!sliced.ok) return sliced;
  const slice = sliced.value;
  const files = new Map(slice.folder);
  for (const [path, file] of folder) {
    if (!files.has(path) && !staysBehind(path) && !isOfDialect(parsed, path)) files.set(path, file);
  }
  // Servers that no card uses come too.
  const written = new FolderDraft(folder).read(parsed.config.file ?? sliceConfig, ['mcp', 'servers']);
  const config = new FolderDraft(files);
  const servers = Object.entries(isRecord(written) ? written : {});
  const file = serversFileOf(parsed.dialect);
  config.yamlAll(
    file,
    servers.flatMap(([name, value]) =>
      isJson(value) ? [{ op: 'set' as const, path: ['mcp', 'servers', name], value }] : [],
    ),
  );
  const text = config.text(file);
  if (text !== undefined) files.set(file, { kind: 'text', text });
  const secret = [...folder.keys()].filter(isSecretFile);
  const rules = parsed.cards.flatMap((card) =>
    isOfDialect(parsed, card.file) && folder.has(card.file) ? [card.file] : [],
  );
  return ok({ folder: files, beside: { ...slice.beside, files: secret, rules } });
}

/** Another program may have its servers in a file of their own. */
function configFilesOf(config: JsonObject, serversFile: string): readonly (readonly [string, JsonObject])[] {
  const { mcp, ...general } = config;
  const parts: (readonly [string, JsonObject])[] =
    serversFile === sliceConfig || mcp === undefined
      ? [[sliceConfig, config]]
      : [
          [sliceConfig, general],
          [serversFile, { mcp }],
        ];
  return parts.filter(([, part]) => Object.keys(part).length > 0);
}

function configOf({ folder, parsed }: ReadProject, chosen: readonly Card[], servers: ReadonlySet<string>) {
  const draft = new FolderDraft(folder);
  const taken = new Taken((path) => {
    const file = fileOfKey(parsed.config, path);
    return file === undefined ? undefined : draft.read(file, path);
  });
  for (const server of servers) taken.add(['mcp', 'servers', server]);
  for (const card of chosen) {
    const [, namespace, key] = ('model' in card && /^\$([^.]+)\.(.+)$/.exec(card.model ?? '')) || [];
    if (namespace !== undefined && key !== undefined) taken.add(['model_references', namespace, key]);
  }
  return taken.value;
}

/** What decides how the agents run, and is of no single agent. It is compared and not copied. */
export const generalSettings: readonly Path[] = [
  ['tool_naming'],
  ['run_hooks'],
  ['approvals', 'default'],
  ['approvals', 'mode'],
  ['approvals', 'attachments'],
  ['delegation_defaults'],
  ['recording'],
  ['limits'],
  ['mcp', 'sampling'],
  ['mcp', 'elicitation'],
  ['runtime_tools'],
  ['find_tools', 'enabled'],
  ['find_tools', 'above'],
];

function settingsOf(
  { folder, parsed }: ReadProject,
  chosen: readonly Card[],
  servers: ReadonlySet<string>,
  marks: ReadonlySet<NodeId>,
): JsonObject | undefined {
  if (parsed.settingsFile === undefined) return undefined;
  const written = new FolderDraft(folder).read(parsed.settingsFile, []);
  const names = new Set(chosen.map(({ name }) => name));
  const taken = new Taken((path) => fieldOf(written, path));
  // They say how agents run, and nothing of a server alone.
  if (chosen.length > 0) for (const path of generalSettings) taken.add(path);
  for (const { path, as, agent } of agentMentions(written)) {
    // The options of an edge belong to the parent.
    const isOfParent = path[0] === 'delegations' && path.length > 2;
    if (as === 'key' && names.has(agent) && !isOfParent) taken.add(path);
    if (path[0] === 'external_tools' && names.has(agent)) taken.add(path.slice(0, 2));
  }
  taken.set(['approvals', 'rules'], rulesFor(written, names, parsed.settings.tool_naming));
  for (const server of servers) taken.add(['mcp', 'servers', server]);
  for (const entry of chosen.flatMap((card) => hookChain(card, parsed))) {
    if (entry.kind === 'code')
      for (const key of [entry.spec, `${entry.file}:${entry.functionName}`]) taken.add(['hooks', key]);
  }
  const members = new Set([...marks, ...[...names].map((name) => `agent:${name}`)]);
  taken.set(
    ['canvas', 'notes'],
    marked(written, 'notes', ({ id }) => marks.has(`note:${String(id)}`)),
  );
  taken.set(
    ['canvas', 'groups'],
    marked(written, 'groups', ({ id, members: inside }) => {
      const all = Array.isArray(inside) && inside.length > 0 && inside.every((member) => members.has(String(member)));
      return all || marks.has(`group:${String(id)}`);
    }),
  );
  return taken.value && { version: 1, ...taken.value };
}

/** Rules that hold for calls by the agents, or for calls of them. */
function rulesFor(written: unknown, names: ReadonlySet<string>, naming: ToolNaming): Json[] {
  const tools = [...names].map((name) => childToolName(name, naming));
  const isFor = (rule: unknown) => {
    if (!isRecord(rule) || rule.agents === undefined) return isRecord(rule);
    const isCaller = textsIn(rule.agents).some((agent) => names.has(agent));
    return isCaller || textsIn(rule.tools).some((pattern) => tools.some((tool) => globMatch(pattern, tool)));
  };
  return listOf(fieldOf(written, ['approvals', 'rules']))
    .filter(isFor)
    .filter(isJson);
}

function marked(written: unknown, list: string, isIn: (entry: Readonly<Record<string, unknown>>) => boolean): Json[] {
  return listOf(fieldOf(written, ['canvas', list]))
    .filter((entry) => isRecord(entry) && isIn(entry))
    .filter(isJson);
}

/** Returns a test for servers that have settings in a secrets file. */
export function serverInSecrets({ folder, parsed }: ReadProject): (server: string) => boolean {
  const draft = new FolderDraft(folder);
  const secrets = [...parsed.roles].flatMap(([path, role]) => (role === 'secrets' ? [path] : []));
  return (server) => secrets.some((file) => draft.read(file, ['mcp', 'servers', server]) !== undefined);
}

/** Collects parts of a document at the places where they are. */
class Taken {
  value: JsonObject | undefined;

  constructor(private readonly read: (path: Path) => unknown) {}

  add(path: Path): void {
    this.set(path, this.read(path));
  }

  set(path: Path, value: unknown): void {
    if (!isJson(value) || (Array.isArray(value) && value.length === 0)) return;
    this.value = withValue(this.value ?? {}, path, value);
  }
}

function withValue(into: JsonObject, path: Path, value: Json): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) return into;
  const inner = Object.hasOwn(into, key) ? into[key] : undefined;
  const next = rest.length === 0 ? value : withValue(isRecord(inner) ? inner : {}, rest, value);
  return Object.fromEntries([...Object.entries(into).filter(([other]) => other !== String(key)), [key, next]]);
}

function yamlFile(file: string, value: JsonObject): FolderFile {
  const draft = new FolderDraft(new Map());
  draft.yamlAll(
    file,
    Object.entries(value).map(([key, item]) => ({ op: 'set', path: [key], value: item })),
  );
  return { kind: 'text', text: draft.text(file) ?? '' };
}
