import type { Issue } from '@/lib/base/issue';
import type { Card } from '@/lib/cards/card';
import { lostCard } from '@/lib/cards/check/check-layout';
import { modelsOf, unservedModels } from '@/lib/cards/check/check-models';
import { pythonOffIssues } from '@/lib/cards/check/python-off';
import { configFiles } from '@/lib/cards/config-files';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import type { ModelEnv } from '@/lib/cards/models/endpoint';
import type { ProviderVariables } from '@/lib/cards/models/providers';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { findEntry } from '@/lib/cards/project/entry';
import { readFolder } from '@/lib/cards/project/read-folder';
import { neededVariables, unlistedVariables } from '@/lib/cards/variables/asked-variables';
import type { Graph, GraphNode, NodeId } from '@/lib/graph/graph';
import { deriveGraph } from './derive-graph';
import { withChanges } from './document';
import { keepEqualValues } from './keep-equal';
import { type Newborn, type ShownIssue, withHints } from './newborn';
import { issuesByServer } from './server-issues';

/**
 * Everything derived from the text. While a file cannot be read, its problems come from the text as it is, and the picture
 * is drawn from the last text that could be read:
 *
 *   folder ──readFolder──▶ parsed (problems)
 *      └─ broken files ← last good text ──readFolder──▶ drawn ──projectGraph──▶ graph
 */
export interface Picture {
  /** The result of reading the text as it is. */
  readonly parsed: ParsedFolder;
  /** What the graph and the forms show. It is the same object as `parsed` when nothing is broken. */
  readonly drawn: ParsedFolder;
  readonly graph: Graph;
  /** Files whose present text cannot be read. They are shown as they were before. */
  readonly stale: ReadonlySet<string>;
  readonly problems: ReadonlyMap<NodeId, readonly ShownIssue[]>;
  /** The agent that a run starts with unless another is chosen. */
  readonly entry: string | undefined;
  readonly cards: ReadonlyMap<string, Card>;
  readonly nodes: ReadonlyMap<NodeId, GraphNode>;
  /** The last readable text of each card and settings file. */
  readonly good: ReadonlyMap<string, FolderFile>;
}

/** What is known about the installation on which a folder would run. */
export interface Installation {
  /** True if the installation runs no Python. */
  readonly pythonOff?: boolean | undefined;
  /** The names of the variables that the installation gives to projects; `undefined` if not known. */
  readonly projectEnv?: readonly string[] | undefined;
  /** The names of secrets that servers and remote agents of the project may use. */
  readonly secrets?: readonly string[] | undefined;
  /**
   * The names of its keys for model providers, each with the value `set`, and its own addresses; `undefined` if not known.
   */
  readonly models?: ProviderVariables | undefined;
}

/** Derives the picture. `code` are the faults that are known of the code, `newborn` the nodes whose problems are hints. Nodes that did not change keep their identity, so that the canvas redraws only the changed ones. */
export function drawPicture(
  folder: Folder,
  previous: Picture | undefined,
  here: Installation = {},
  code: readonly Issue[] = [],
  newborn: Newborn = new Map(),
): Picture {
  const now = readFolder(folder);
  const readable = readablePaths(now);
  const broken = unreadable(folder, readable, previous);
  const complete = withLostCards(now, broken, previous);
  const parsed = withHints(folder, withInstallation(folder, complete, here, code), newborn);
  const lastGood = new Map([...broken].map((path) => [path, previous?.good.get(path)]));
  const drawn = broken.size === 0 ? parsed : readFolder(withChanges(folder, lastGood));
  const graph = deriveGraph(drawn, previous);
  return {
    parsed,
    drawn,
    graph,
    stale: broken,
    problems: keepEqualValues(problemsByNode(folder, parsed, graph), previous?.problems),
    entry: entryName(parsed, drawn),
    cards: new Map(drawn.cards.map((card) => [card.name, card])),
    nodes: new Map(graph.nodes.map((node) => [node.id, node])),
    good: goodFiles(folder, readable, broken, previous),
  };
}

/** Adds problems for what the folder needs and this installation does not offer, and those of code, which another thread finds. */
function withInstallation(
  folder: Folder,
  parsed: ParsedFolder,
  here: Installation,
  code: readonly Issue[],
): ParsedFolder {
  const { pythonOff, projectEnv, secrets } = here;
  const python = pythonOff ? pythonOffIssues(folder, parsed) : [];
  const unlisted =
    projectEnv === undefined ? [] : unlistedVariables(neededVariables(folder, parsed), projectEnv, secrets);
  const env = modelEnvOf(here);
  const unserved = env === undefined ? [] : unservedModels(modelsOf(folder, parsed), env);
  const more = [...python, ...unlisted, ...unserved, ...code.filter(({ file }) => folder.has(file))];
  return more.length === 0 ? parsed : { ...parsed, issues: [...parsed.issues, ...more] };
}

/** Returns what is known here about who serves models, or `undefined` if nothing is. */
export function modelEnvOf({ models, projectEnv = [], secrets = [] }: Installation): ModelEnv | undefined {
  if (models === undefined) return undefined;
  const names = Object.fromEntries([...projectEnv, ...secrets].map((name) => [name, undefined]));
  return { variables: models, projectEnv: names, hasValues: false };
}

/**
 * Returns the entry agent as a run would find it. If the text cannot be read now, it is the one of the last readable text.
 */
function entryName(parsed: ParsedFolder, drawn: ParsedFolder): string | undefined {
  const found = findEntry(parsed);
  const entry = found.is === 'unread' ? findEntry(drawn) : found;
  if (entry.is === 'named') return entry.name;
  return entry.is === 'card' || entry.is === 'first' ? entry.card.name : undefined;
}

/** Reports cards that are no longer cards although they have no fault, because their agents are still drawn. */
function withLostCards(parsed: ParsedFolder, broken: ReadonlySet<string>, previous: Picture | undefined): ParsedFolder {
  const faulty = new Set(parsed.issues.map((issue) => issue.file));
  const lost = (previous?.drawn.cards ?? []).filter(({ file }) => broken.has(file) && !faulty.has(file));
  if (lost.length === 0) return parsed;
  const how = (name: string) => `defined the agent '${name}', which is drawn as it was; now`;
  return {
    ...parsed,
    issues: [...parsed.issues, ...lost.map((card) => lostCard(card.file, card.name, how(card.name)))],
  };
}

/** Returns files that could be read before, are still there, and cannot be read now. */
function unreadable(folder: Folder, readable: ReadonlySet<string>, previous: Picture | undefined): ReadonlySet<string> {
  if (previous === undefined) return new Set();
  return new Set([...previous.good.keys()].filter((path) => folder.has(path) && !readable.has(path)));
}

function goodFiles(
  folder: Folder,
  readable: ReadonlySet<string>,
  broken: ReadonlySet<string>,
  previous: Picture | undefined,
): ReadonlyMap<string, FolderFile> {
  const good = new Map<string, FolderFile>();
  for (const path of readable) {
    const file = folder.get(path);
    if (file !== undefined) good.set(path, file);
  }
  for (const path of broken) {
    const file = previous?.good.get(path);
    if (file !== undefined) good.set(path, file);
  }
  return good;
}

function readablePaths(parsed: ParsedFolder): ReadonlySet<string> {
  const paths = new Set(parsed.cards.map((card) => card.file));
  const faulty = new Set(parsed.issues.filter((issue) => issue.severity === 'error').map((issue) => issue.file));
  for (const path of [...configFiles(parsed.config), parsed.settingsFile]) {
    if (path !== undefined && !faulty.has(path)) paths.add(path);
  }
  return paths;
}

/**
 * Sorts issues by node. An issue belongs to the node of its card, an issue of the config to the server whose entry it is in,
 * and an issue about a name that no card has to the node of that name.
 */
function problemsByNode(
  folder: Folder,
  { issues, config }: ParsedFolder,
  graph: Graph,
): ReadonlyMap<NodeId, readonly Issue[]> {
  const idOfFile = new Map<string, NodeId>();
  for (const node of graph.nodes) if (node.kind === 'agent' && !node.missing) idOfFile.set(node.file, node.id);
  const ofConfig = issues.filter(({ file }) => file === config.file);
  const serverOf = ofConfig.length === 0 ? new Map() : issuesByServer(folder, config, ofConfig);
  const byNode = new Map<NodeId, Issue[]>();
  for (const issue of issues) {
    const agent = issue.agent === undefined ? undefined : `agent:${issue.agent}`;
    const id = idOfFile.get(issue.file) ?? serverOf.get(issue) ?? agent;
    if (id === undefined) continue;
    const list = byNode.get(id);
    if (list === undefined) byNode.set(id, [issue]);
    else list.push(issue);
  }
  return byNode;
}
