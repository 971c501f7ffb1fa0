import { canonicalJson } from '@/lib/base/canonical-json';
import { isJson, isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { FolderDraft } from '@/lib/cards/edit/draft';
import { settingsName } from '@/lib/cards/file-role';
import { agentMentions, mentionText, toolPrefix } from '@/lib/cards/read/agent-mentions';
import { fieldOf } from '@/lib/cards/read/read-field';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import type { ReadProject } from '@/lib/graph/changes/project-side';
import { newSettings, settingsFileOf } from '@/lib/graph/settings-file';

export interface Coming {
  /** The slice with the names and paths that it has in the project. */
  readonly came: ReadProject;
  /** The new names of agents by their old ones. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** How far copied notes are from their originals, in canvas units. */
const aside = 40;

/**
 * Writes what `callboard.yaml` of a slice says of its agents into that of the project. A rule that the project has too also holds
 * for the new agents. Returns sentences that say what the agents had and do not have here.
 */
export function mergeSettings(draft: FolderDraft, project: ReadProject, coming: Coming): string[] {
  const written = documentOf(coming.came.folder);
  if (written === undefined) return [];
  const file = settingsFileOf(project.parsed);
  const here = draft.read(file, []);
  const own = new FolderDraft(new Map([[file, { kind: 'text', text: draft.text(file) ?? newSettings }]]));
  const names = new Set(coming.came.parsed.cards.map(({ name }) => name));
  const prefix = toolPrefix(here);
  const settings = withPrefix(written, prefix, names);
  const set = (path: Path, value: unknown) => {
    if (isJson(value)) own.yaml(file, { op: 'set', path, value });
  };
  for (const { path, as, agent } of agentMentions(settings)) {
    const isOfParent = path[0] === 'delegations' && path.length > 2;
    if (as === 'key' && names.has(agent) && !isOfParent) set(path, fieldOf(settings, path));
  }
  const unset = [
    ...addMissing(own, file, settings, ['hooks'], 'The policy of hook'),
    ...addMissing(own, file, settings, ['mcp', 'servers'], 'What callboard.yaml says of server'),
    ...addExternal(own, file, settings, names),
  ];
  addRules(own, file, { settings, names, prefix, renamed: coming.renamed });
  addMarks(own, file, settings);
  const changes = own.changes();
  if (!changes.ok) draft.fail(changes.error.code, changes.error.file, changes.error.message);
  else if (changes.value.size > 0) draft.write(file, own.text(file) ?? '');
  return [...unset, ...generalDifferences(here, written)];
}

function documentOf(folder: ReadProject['folder']): JsonObject | undefined {
  const value = new FolderDraft(folder).read(settingsName, []);
  return isRecord(value) && isJson(value) ? value : undefined;
}

/** Writes the names of the tools of these agents as the project has them. */
function withPrefix(settings: JsonObject, prefix: string, names: ReadonlySet<string>): JsonObject {
  if (prefix === toolPrefix(settings)) return settings;
  const draft = new FolderDraft(new Map());
  for (const [key, value] of Object.entries(settings)) draft.yaml(settingsName, { op: 'set', path: [key], value });
  for (const mention of agentMentions(settings)) {
    if (mention.as !== 'tool' || !names.has(mention.agent)) continue;
    draft.yaml(settingsName, { op: 'set', path: mention.path, value: mentionText(mention, mention.agent, prefix) });
  }
  const value = draft.read(settingsName, []);
  return isRecord(value) && isJson(value) ? value : settings;
}

/** Adds the members of a mapping that the project does not have. */
function addMissing(draft: FolderDraft, file: string, settings: JsonObject, path: Path, what: string): string[] {
  const members = fieldOf(settings, path);
  return Object.entries(isRecord(members) ? members : {}).flatMap(([key, value]) => {
    if (!isJson(value)) return [];
    const own = draft.read(file, [...path, key]);
    if (own === undefined) draft.yaml(file, { op: 'set', path: [...path, key], value });
    return own === undefined || isSame(own, value)
      ? []
      : [`${what} '${key}' is different here. That of this project holds.`];
  });
}

function addExternal(draft: FolderDraft, file: string, settings: JsonObject, names: ReadonlySet<string>): string[] {
  const tools = settings.external_tools;
  return Object.entries(isRecord(tools) ? tools : {}).flatMap(([name, tool]) => {
    if (!isRecord(tool) || !isJson(tool)) return [];
    const agents = textsIn(tool.agents).filter((agent) => names.has(agent));
    const path = ['external_tools', name];
    const own = draft.read(file, path);
    if (own === undefined) draft.yaml(file, { op: 'set', path, value: { ...tool, agents } });
    else if (isRecord(own) && isSame({ ...own, agents: [] }, { ...tool, agents: [] })) {
      append(draft, file, [...path, 'agents'], agents);
    } else return [`The tool '${name}', which people answer, is another one here, and the agents do not have it.`];
    return [];
  });
}

interface ComingRules {
  readonly settings: JsonObject;
  readonly names: ReadonlySet<string>;
  /** What the names of the tools of agents begin with. */
  readonly prefix: string;
  readonly renamed: ReadonlyMap<string, string>;
}

/** The strictest rule for a call counts, so their order means nothing. */
function addRules(draft: FolderDraft, file: string, { settings, names, prefix, renamed }: ComingRules): void {
  const path = ['approvals', 'rules'];
  const before = new Map([...renamed].map(([from, to]) => [to, from]));
  const original = (text: string) => {
    const name = text.startsWith(prefix) ? before.get(text.slice(prefix.length)) : undefined;
    return name === undefined ? text : prefix + name;
  };
  for (const rule of listOf(fieldOf(settings, path))) {
    if (!isRecord(rule) || !isJson(rule)) continue;
    const tools = textsIn(rule.tools);
    const agents = rule.agents === undefined ? undefined : textsIn(rule.agents);
    const as: Record<string, Json> = { ...rule, tools: tools.map(original) };
    if (agents) as.agents = agents.map((agent) => before.get(agent) ?? agent);
    const twin = listOf(draft.read(file, path)).findIndex(
      (own) => isSame(withoutLists(own), withoutLists(as)) && holds(own, as),
    );
    if (twin !== -1) {
      append(draft, file, [...path, twin, 'tools'], tools);
      if (agents) append(draft, file, [...path, twin, 'agents'], agents);
      continue;
    }
    const isOfThem = tools.some((tool) => tool.startsWith(prefix) && names.has(tool.slice(prefix.length)));
    const callers = agents?.filter((agent) => names.has(agent)) ?? [...names];
    const value: Record<string, Json> = { ...rule };
    if (callers.length > 0 && !(isOfThem && agents === undefined)) value.agents = callers;
    append(draft, file, path, [value]);
  }
}

/** True if a rule of the project names all that the other one names. */
function holds(own: unknown, rule: JsonObject): boolean {
  if (!isRecord(own) || (own.agents === undefined) !== (rule.agents === undefined)) return false;
  const [tools, agents] = [textsIn(own.tools), textsIn(own.agents)];
  return (
    textsIn(rule.tools).every((tool) => tools.includes(tool)) &&
    textsIn(rule.agents).every((agent) => agents.includes(agent))
  );
}

function withoutLists(rule: unknown): unknown {
  return isRecord(rule) ? { ...rule, tools: [], agents: [] } : rule;
}

/** Adds notes and groups. They get free ids. */
function addMarks(draft: FolderDraft, file: string, settings: JsonObject): void {
  const ids = new Map<string, string>();
  for (const list of ['notes', 'groups'] as const) {
    const path = ['canvas', list];
    for (const mark of listOf(fieldOf(settings, path))) {
      if (!isRecord(mark) || !isJson(mark) || typeof mark.id !== 'string') continue;
      const taken = new Set(listOf(draft.read(file, path)).map((own) => (isRecord(own) ? own.id : undefined)));
      let id = mark.id;
      for (let n = 2; taken.has(id); n++) id = `${mark.id}-${n}`;
      ids.set(`${list === 'notes' ? 'note' : 'group'}:${mark.id}`, id);
      const copy: Record<string, Json> = { ...mark, id };
      for (const axis of ['x', 'y']) if (typeof copy[axis] === 'number') copy[axis] += aside;
      if (list === 'groups') {
        copy.members = textsIn(mark.members).map((member) => {
          const note = ids.get(member);
          return note === undefined ? member : `note:${note}`;
        });
      }
      append(draft, file, path, [copy]);
    }
  }
}

/** What holds for all agents is not copied. Says what the agents had by it. */
function generalDifferences(here: unknown, there: JsonObject): string[] {
  const own = listOf(fieldOf(here, ['run_hooks']));
  const hooks = listOf(there.run_hooks).filter((hook) => !own.some((other) => isSame(other, hook)));
  const effects = [
    fieldOf(there, ['approvals', 'default']) ?? 'allow',
    fieldOf(here, ['approvals', 'default']) ?? 'allow',
  ];
  const strictness = ['allow', 'ask', 'deny'];
  const isLooser = strictness.indexOf(String(effects[1])) < strictness.indexOf(String(effects[0]));
  const said = hooks.map((hook) => (isRecord(hook) ? (Object.keys(hook)[0] ?? '') : String(hook)));
  return [
    ...(said.length === 0
      ? []
      : [
          `Hooks of all agents did not come along: ${said.map((name) => `'${name}'`).join(', ')}. Add them to this project.`,
        ]),
    ...(isLooser
      ? [
          `Calls that no rule names were '${effects[0]}' there, and are '${effects[1]}' here. Add rules for the new agents.`,
        ]
      : []),
  ];
}

/** Appends what a list does not have. Makes the list if there is none. */
function append(draft: FolderDraft, file: string, path: Path, values: readonly Json[]): void {
  const own = draft.read(file, path);
  const list = listOf(own);
  const added = values.filter((value) => typeof value !== 'string' || !list.includes(value));
  if (added.length === 0) return;
  if (own === undefined || own === null) draft.yaml(file, { op: 'set', path, value: [...added] });
  else
    for (const [index, value] of added.entries())
      draft.yaml(file, { op: 'insert', path, index: list.length + index, value });
}

function isSame(a: unknown, b: unknown): boolean {
  return isJson(a) && isJson(b) && canonicalJson(a) === canonicalJson(b);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsIn(value: unknown): string[] {
  return listOf(value).filter((item) => typeof item === 'string');
}
