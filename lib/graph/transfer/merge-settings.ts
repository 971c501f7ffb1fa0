import { isJson, isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { FolderDraft } from '@/lib/cards/edit/draft';
import { YamlBatch, type YamlEdits } from '@/lib/cards/edit/yaml-batch';
import { settingsName } from '@/lib/cards/file-role';
import type { Folder } from '@/lib/cards/folder';
import { agentMentions, toolNamingOf } from '@/lib/cards/read/agent-mentions';
import { fieldOf } from '@/lib/cards/read/read-field';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import type { ReadProject } from '@/lib/graph/changes/project-side';
import { hookChain } from '@/lib/graph/hook-chain';
import { newSettings, settingsFileOf } from '@/lib/graph/settings-file';
import { addRules, type ComingAgent, comingAgent, toolsOfThem, uncovered } from './merge-rules';
import { append, isSame, listOf, textsIn } from './settings-values';
import { generalSettings } from './slice-project';

export interface Coming {
  /** The slice with the names and paths that it has in the project. */
  readonly came: ReadProject;
  /** The slice as it was copied. */
  readonly copied: Folder;
  /** The new names of agents by their old ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** The names of the servers that the project did not have. */
  readonly servers: readonly string[];
}

/** How far copied notes are from their originals, in canvas units. */
const aside = 40;

/**
 * Writes what `callboard.yaml` of a slice says of its agents into that of the project. Nothing that was here before is decided in
 * another way. Returns sentences that say what the agents had and do not have here.
 */
export function mergeSettings(draft: FolderDraft, project: ReadProject, coming: Coming): string[] {
  const { came, copied, renamed, servers } = coming;
  const [now, before] = [documentOf(came.folder), documentOf(copied)];
  const file = settingsFileOf(project.parsed);
  const dropped = dropLeftovers(draft, file, new Set(came.parsed.cards.map(({ name }) => name)));
  if (now === undefined || before === undefined) return dropped;
  const here = draft.read(file, []);
  const own = new YamlBatch(file, draft.text(file) ?? newSettings);
  if (project.folder.has(file) && draft.text(file) === undefined)
    draft.fail('not-text', file, `${file} is not text. Replace it with a text file first.`);
  const old = new Map([...renamed].map(([from, to]) => [to, from]));
  const there = toolNamingOf(before);
  const agents = came.parsed.cards.map(({ name }) =>
    comingAgent(old.get(name) ?? name, name, there, project.parsed.settings.tool_naming),
  );
  const names = new Set(agents.map(({ to }) => to));
  for (const { path, as, agent } of agentMentions(now)) {
    const isOfParent = path[0] === 'delegations' && path.length > 2;
    const value = fieldOf(now, path);
    if (as === 'key' && names.has(agent) && !isOfParent && isJson(value)) own.yaml(file, { op: 'set', path, value });
  }
  const isNewHook = newHooks(project, came);
  const unset = [
    ...addMissing(own, file, now, { path: ['hooks'], isNew: isNewHook, what: 'The policy of hook' }),
    ...addMissing(own, file, now, {
      path: ['mcp', 'servers'],
      isNew: (name) => servers.includes(name),
      what: 'What callboard.yaml says of server',
    }),
    ...addExternal(own, file, now, names),
  ];
  addRules(own, file, agents, { before, now });
  addToRunHooks(own, file, agents, before);
  addMarks(own, file, now, names);
  draft.yamlAll(file, own.edits, newSettings);
  return [...dropped, ...unset, ...generalDifferences(here, before)];
}

/** Removes what is left of removed agents under the names of those that come. It would hold for them. Returns a sentence for each name. */
function dropLeftovers(draft: FolderDraft, file: string, names: ReadonlySet<string>): string[] {
  const dropped = new Map<string, string[]>();
  for (const { path, as, agent } of agentMentions(draft.read(file, []))) {
    // The options of an edge belong to the parent.
    const isOfParent = path[0] === 'delegations' && path.length > 2;
    if (as !== 'key' || !names.has(agent) || isOfParent) continue;
    draft.prune(file, path);
    dropped.set(agent, [...(dropped.get(agent) ?? []), `'${path.join('.')}'`]);
  }
  return [...dropped].map(
    ([agent, paths]) => `What an earlier '${agent}' had left in ${file} was removed: ${paths.join(', ')}.`,
  );
}

function documentOf(folder: Folder): JsonObject | undefined {
  const value = new FolderDraft(folder).read(settingsName, []);
  return isRecord(value) && isJson(value) ? value : undefined;
}

/** A policy may come along for code that comes along. For code that is here it would change what hooks of others do. */
function newHooks({ folder }: ReadProject, { parsed }: ReadProject): (key: string) => boolean {
  const keys = new Set<string>();
  const taken = new Set<string>();
  for (const entry of parsed.cards.flatMap((card) => hookChain(card, parsed))) {
    for (const key of [entry.spec, `${entry.file}:${entry.functionName}`]) {
      keys.add(key);
      if (folder.has(entry.file)) taken.add(key);
    }
  }
  return (key) => keys.has(key) && !taken.has(key);
}

interface Members {
  readonly path: Path;
  /** True for a member that concerns nothing that was here before. */
  readonly isNew: (key: string) => boolean;
  readonly what: string;
}

/** Adds the members of a mapping that the project does not have. */
function addMissing(draft: YamlEdits, file: string, settings: JsonObject, { path, isNew, what }: Members): string[] {
  const members = fieldOf(settings, path);
  return Object.entries(isRecord(members) ? members : {}).flatMap(([key, value]) => {
    if (!isJson(value)) return [];
    const own = draft.read(file, [...path, key]);
    if (own === undefined && isNew(key)) draft.yaml(file, { op: 'set', path: [...path, key], value });
    else if (!isSame(own, value)) return [`${what} '${key}' is different here. That of this project holds.`];
    return [];
  });
}

function addExternal(draft: YamlEdits, file: string, settings: JsonObject, names: ReadonlySet<string>): string[] {
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

/** Lets hooks of the whole run that both projects have also guard calls of the new agents. */
function addToRunHooks(draft: YamlEdits, file: string, agents: readonly ComingAgent[], before: JsonObject): void {
  const theirs = listOf(before.run_hooks);
  for (const [index, hook] of listOf(draft.read(file, ['run_hooks'])).entries()) {
    if (!isRecord(hook) || !theirs.some((other) => isSame(other, hook))) continue;
    for (const kind of Object.keys(hook)) {
      const path = ['run_hooks', index, kind, 'when', 'tool'];
      const patterns = textsIn(draft.read(file, path));
      const added = uncovered(patterns, toolsOfThem(patterns, agents));
      if (added.length > 0) draft.yaml(file, { op: 'set', path, value: [...patterns, ...added] });
    }
  }
}

/** Adds notes and groups. They get free ids. */
function addMarks(draft: YamlEdits, file: string, settings: JsonObject, names: ReadonlySet<string>): void {
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
      // What was not copied stays in its own group.
      if (list === 'groups') {
        copy.members = textsIn(mark.members).flatMap((member) => {
          const note = ids.get(member);
          if (note !== undefined) return [`note:${note}`];
          return member.startsWith('agent:') && names.has(member.slice('agent:'.length)) ? [member] : [];
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
  const said = hooks.map((hook) => `'${nameOfHook(hook)}'`);
  const others = generalSettings.filter((path) => {
    const value = fieldOf(there, path);
    return (
      path[0] !== 'run_hooks' && path[0] !== 'tool_naming' && value !== undefined && !isSame(value, fieldOf(here, path))
    );
  });
  const named = others.map((path) => `'${path.join('.')}'`);
  return [
    ...(said.length === 0
      ? []
      : [`Hooks of all agents did not come along: ${said.join(', ')}. Add them to this project.`]),
    ...(named.length === 0
      ? []
      : [`These settings of callboard.yaml hold for all agents, and are different here: ${named.join(', ')}.`]),
  ];
}

/** Returns the code or the kind of an entry of `run_hooks`, which may have a switch beside it. */
function nameOfHook(hook: unknown): string {
  if (!isRecord(hook)) return String(hook);
  return typeof hook.code === 'string' ? hook.code : (Object.keys(hook).find((key) => key !== 'enabled') ?? '');
}
