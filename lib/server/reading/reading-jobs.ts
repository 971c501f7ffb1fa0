import { LRUCache } from 'lru-cache';
import type { EpochMs } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import type { NamedSecret, UsedPart } from '@/lib/base/uses';
import type { Card } from '@/lib/cards/card';
import { type FolderModels, modelsOf } from '@/lib/cards/check/check-models';
import { type Covered, coveredBy } from '@/lib/cards/closure';
import { exportForFastAgent } from '@/lib/cards/export/export-for-fast-agent';
import type { Folder } from '@/lib/cards/folder';
import type { ImportReport } from '@/lib/cards/import-report';
import { modelsNamedIn, type NamedModels } from '@/lib/cards/models/named-models';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { folderBreaches } from '@/lib/cards/policy/folder-breaches';
import type { PolicyBreach, PolicyRule } from '@/lib/cards/policy/rule';
import { findEntry } from '@/lib/cards/project/entry';
import { type ReadingProgress, readFolder } from '@/lib/cards/project/read-folder';
import { readWithCode } from '@/lib/cards/project/read-with-code';
import { reportOfFolder } from '@/lib/cards/project/report-of-folder';
import { withSecrets } from '@/lib/cards/read/secrets';
import type { CapabilityList } from '@/lib/cards/trust/capability';
import { listCapabilities } from '@/lib/cards/trust/list-capabilities';
import { type NeededVariable, neededVariables } from '@/lib/cards/variables/asked-variables';
import { lostChanges } from '@/lib/editor/lost-changes';
import { type Rebased, rebase } from '@/lib/editor/rebase';
import type { Listed } from '@/lib/graph/changes/capability-changes';
import { compareProjects } from '@/lib/graph/changes/compare-projects';
import type { Graph, NodeId, Point } from '@/lib/graph/graph';
import { namedSecrets } from '@/lib/graph/impact/named-secrets';
import { touchedAgents } from '@/lib/graph/impact/touched-agents';
import { usedParts } from '@/lib/graph/impact/used-parts';
import { layoutGraph } from '@/lib/graph/layout';
import { type Picture, pictureOf } from '@/lib/graph/picture';
import { projectGraph } from '@/lib/graph/project';
import type { ReviewAnchor } from '@/lib/graph/review/anchor';
import { type ChangeGroup, changeGroups } from '@/lib/graph/review/change-rows';
import { type ComparedChange, partIndex, partOfChange } from '@/lib/graph/review/compared-part';
import { anchoredText, followAnchors } from '@/lib/graph/review/follow-anchor';
import { otherAnchors } from '@/lib/graph/review/graph-parts';
import { mergedGraph, type PlacedGraph, savedPlaces } from '@/lib/graph/review/merged-graph';
import { outletWidth } from '@/lib/graph/size';
import { sketchGraph } from '@/lib/graph/thumbnail';
import type { GitHash, GitObject } from '@/lib/interop/git/git-object';
import type { RunReading } from '@/lib/jobs/run-context';
import { type InstructionPreview, previewInstruction } from '@/lib/runtime/instruction/instruction-preview';
import { callBreaches } from '@/lib/runtime/policy-check/call-breaches';
import { folderProblems } from '@/lib/runtime/request/run-problem';
import { previewSurface, type ServerListing, type SurfacePreview } from '@/lib/runtime/surface/surface-preview';
import { toolFaults } from '@/lib/sandbox/tool-faults';
import { packLimits } from '@/lib/server/folders/folder-limits';
import { readZip } from '@/lib/server/folders/zip';
import { readPack } from '@/lib/store/git/read-pack';
import { hashBlob } from '@/lib/store/hash';
import type { FolderSummary } from '@/lib/store/tree-summaries';
import { createKnownReadings } from './known-readings';

/** The result of a check of a folder. */
export interface FolderCheck {
  readonly cards: readonly Pick<Card, 'file' | 'name' | 'type'>[];
  readonly issues: readonly Issue[];
  /** Variables that the servers of the folder need. */
  readonly needs: readonly NeededVariable[];
  /** Models that runs of the folder would call. */
  readonly models: FolderModels;
  /** What becomes of each file. `undefined` for a folder whose reading was stopped. */
  readonly report: ImportReport | undefined;
}

/** The agent with which runs of a folder begin. */
export interface EntryAgent {
  readonly name: string;
  readonly type: Card['type'];
  readonly description: string | undefined;
}

/** What a conversation with a project may begin with. */
export interface ChatChoices {
  /** The agent with which runs of the folder begin. */
  readonly entry: string | undefined;
  /** The agents that a person may talk with. */
  readonly agents: readonly string[];
  readonly models: NamedModels;
  readonly defaultModel: string | undefined;
  /** True if the files have settings of providers, so that more of them may be served than the installation knows. */
  readonly hasProviders: boolean;
}

export interface SurfaceQuestion {
  readonly folder: Folder;
  readonly agent: string;
  readonly now: EpochMs;
  /** Recorded texts at addresses. */
  readonly fetched: ReadonlyMap<string, string>;
}

export interface PolicyQuestion {
  readonly folder: Folder;
  readonly rules: readonly PolicyRule[];
  readonly listings: Readonly<Record<string, ServerListing>>;
}

export interface AnchorQuestion {
  readonly folder: Folder;
  readonly anchor: ReviewAnchor;
}

export interface VersionsQuestion {
  readonly folder: Folder;
  readonly before: Folder;
  /** The tools that servers listed for each folder, where that is known. */
  readonly listed?: Listed;
}

export interface TouchedQuestion {
  readonly folder: Folder;
  readonly before: Folder;
  /** The files that differ. */
  readonly changed: readonly string[];
}

export interface ReviewComparison {
  readonly capabilities: readonly ComparedChange[];
  readonly groups: readonly ChangeGroup[];
  /** Both graphs as one. */
  readonly drawing: PlacedGraph;
}

export interface FollowQuestion {
  readonly folder: Folder;
  readonly before: Folder;
  readonly anchors: readonly ReviewAnchor[];
}

/** Three versions of a folder. */
export interface ThreeFolders {
  /** The folder that is changed or published. The changes of `theirs` are compared with its own. */
  readonly folder: Folder;
  /** What both began from. */
  readonly base: Folder;
  readonly theirs: Folder;
}

export interface AgentSurface {
  readonly surface: SurfacePreview;
  readonly instruction: InstructionPreview;
}

export type Points = Readonly<Record<NodeId, Point>>;

/** The jobs of a reading thread. Inputs and results are plain data, because they are copied between threads. */
export const readingJobs = {
  check(folder: Folder, progress: ReadingProgress): FolderCheck {
    const parsed = readWithCode(folder, progress, known);
    const cards = parsed.cards.map(({ file, name, type }) => ({ file, name, type }));
    const issues = folderProblems(withToolFaults(folder, parsed), { agent: undefined, model: undefined });
    const report = reportOfFolder(folder, parsed);
    return { cards, issues, needs: neededVariables(folder, parsed), models: modelsOf(folder, parsed), report };
  },
  /** Says what becomes of each file and of each field. */
  report(folder: Folder, progress: ReadingProgress): ImportReport {
    return reportOfFolder(folder, readWithCode(folder, progress, known));
  },
  /** When its result for an unchanged folder changes, raise `summaryFormat`. */
  summary(folder: Folder, progress: ReadingProgress): FolderSummary {
    const parsed = readWithCode(folder, progress, known);
    return {
      agentCount: parsed.cards.length,
      errorCount: parsed.issues.filter((issue) => issue.severity === 'error').length,
      sketch: sketchGraph(projectGraph(parsed), parsed.settings.canvas.positions),
    };
  },
  /** Returns positions of all nodes of the graph. */
  places(folder: Folder, progress: ReadingProgress): Promise<Points> {
    const parsed = read(folder, progress);
    return rememberedLayout(projectGraph(parsed), parsed.settings.canvas.positions);
  },
  /** Works like `places`, but in plain rows, for a graph whose layout takes too long. */
  rows(folder: Folder, progress: ReadingProgress): Points {
    const parsed = read(folder, progress);
    return inRows(projectGraph(parsed), parsed.settings.canvas.positions);
  },
  async picture(folder: Folder, progress: ReadingProgress): Promise<Picture> {
    const parsed = read(folder, progress);
    const graph = projectGraph(parsed);
    return pictureOf(graph, await rememberedLayout(graph, parsed.settings.canvas.positions));
  },
  run(folder: Folder, progress: ReadingProgress): RunReading {
    const parsed = read(folder, progress);
    return { parsed, ...withSecrets(parsed, folder), capabilities: listCapabilities(folder, parsed, hashBlob) };
  },
  /** Lists what runs of the folder would start or call. */
  capabilities(folder: Folder, progress: ReadingProgress): CapabilityList {
    return listCapabilities(folder, read(folder, progress), hashBlob);
  },
  /** Lists what the agents of the folder use, and the secrets that the folder names. */
  parts(folder: Folder, progress: ReadingProgress): readonly (UsedPart | NamedSecret)[] {
    const parsed = read(folder, progress);
    const { config } = withSecrets(parsed, folder);
    return [...usedParts(folder, parsed, config, hashBlob), ...namedSecrets(folder, parsed, config)];
  },
  /** Tells what a review of the folder covers. */
  covered(folder: Folder, progress: ReadingProgress): Covered {
    return coveredBy(folder, read(folder, progress));
  },
  /** Finds what breaks rules of the team. `listings` are the tools that servers listed when they were last tested. */
  breaches({ folder, rules, listings }: PolicyQuestion, progress: ReadingProgress): readonly PolicyBreach[] {
    const parsed = read(folder, progress);
    const { config } = withSecrets(parsed, folder);
    return [
      ...folderBreaches(rules, folder, parsed, config),
      ...callBreaches(rules, folder, parsed, { listings, unknown: 'may write' }),
    ];
  },
  /** Returns the text of what a comment of a review is about. `null` if the folder does not have it. */
  anchored({ folder, anchor }: AnchorQuestion, progress: ReadingProgress): string | null {
    return anchoredText({ folder, parsed: read(folder, progress) }, anchor) ?? null;
  },
  /** Finds in a later folder what comments of a review are about. `null` for what was changed. */
  follow({ folder, before, anchors }: FollowQuestion, progress: ReadingProgress): readonly (ReviewAnchor | null)[] {
    const was = { folder: before, parsed: read(before, progress) };
    return followAnchors(was, { folder, parsed: read(folder, progress) }, anchors);
  },
  /** Says what a later folder changes in power, and part by part. */
  async compareVersions(question: VersionsQuestion, progress: ReadingProgress): Promise<ReviewComparison> {
    const { folder, before, listed } = question;
    const was = { folder: before, parsed: read(before, progress) };
    const after = { folder, parsed: read(folder, progress) };
    const compared = compareProjects(was, after, listed);
    const merged = mergedGraph(compared.before, after, compared.semantic);
    const index = partIndex(after, projectGraph(after.parsed), merged.graph);
    return {
      capabilities: compared.capabilities.map((change) => ({ ...change, about: partOfChange(change, index) })),
      groups: changeGroups(compared.semantic, index),
      drawing: {
        ...merged,
        points: await rememberedLayout(merged.graph, savedPlaces(compared.before, after)),
        otherAnchors: otherAnchors(merged, index),
      },
    };
  },
  /** Names the agents that a change touches. */
  touched({ folder, before, changed }: TouchedQuestion, progress: ReadingProgress): readonly string[] {
    const was = { folder: before, parsed: read(before, progress) };
    return touchedAgents(was, { folder, parsed: read(folder, progress) }, changed);
  },
  /** Finds the files with a change that a folder does not have. */
  lost({ folder, base, theirs }: ThreeFolders): readonly string[] {
    return lostChanges(base, folder, theirs);
  },
  /** Merges two folders, as an editor does whose save conflicts. */
  merge({ folder, base, theirs }: ThreeFolders): Rebased {
    return rebase(base, folder, theirs);
  },
  /** `null` when the folder has no card to begin with. */
  entry(folder: Folder, progress: ReadingProgress): EntryAgent | null {
    const parsed = read(folder, progress);
    const entry = findEntry(parsed);
    const named = entry.is === 'named' ? parsed.cards.find(({ name }) => name === entry.name) : undefined;
    const card = 'card' in entry ? entry.card : named;
    return card === undefined ? null : { name: card.name, type: card.type, description: card.description };
  },
  /** Lists agents and models to choose from. */
  chat(folder: Folder, progress: ReadingProgress): ChatChoices {
    const parsed = read(folder, progress);
    const entry = findEntry(parsed);
    return {
      entry: 'card' in entry ? entry.card.name : entry.is === 'named' ? entry.name : undefined,
      agents: parsed.cards.filter((card) => !card.toolOnly).map(({ name }) => name),
      models: modelsNamedIn(parsed),
      defaultModel: parsed.config.defaultModel,
      hasProviders: Object.keys(parsed.config.providers).length > 0,
    };
  },
  /** Shows what the model of an agent is offered. `null` when the folder has no such agent. */
  surface({ folder, agent, now, fetched }: SurfaceQuestion, progress: ReadingProgress): AgentSurface | null {
    const parsed = read(folder, progress);
    const card = parsed.cards.find(({ name }) => name === agent);
    if (card?.type !== 'agent') return null;
    const instruction = previewInstruction(card, folder, { now, fetched });
    return { surface: previewSurface(parsed, folder, card), instruction };
  },
  exportForFastAgent(folder: Folder): ReturnType<typeof exportForFastAgent> {
    return exportForFastAgent(folder);
  },
  /** Reads a zip. Throws AppError, like `readZip`. */
  unzip(bytes: Uint8Array): Folder {
    return readZip(bytes);
  },
  /** Reads a pack of git. Throws AppError, like `readPack`. */
  unpack(bytes: Uint8Array): ReadonlyMap<GitHash, GitObject> {
    return readPack(bytes, packLimits);
  },
};

export type ReadingJobs = typeof readingJobs;
export type ReadingJob = {
  [Name in keyof ReadingJobs]: { readonly name: Name; readonly input: Parameters<ReadingJobs[Name]>[0] };
}[keyof ReadingJobs];

const columnStep = 320;
const rowStep = 140;

/** Keeps saved positions, and places the other nodes in rows below them. */
function inRows(graph: Graph, saved: Points): Points {
  const free = graph.nodes.filter(({ id }) => !Object.hasOwn(saved, id));
  const columns = Math.ceil(Math.sqrt(free.length));
  let top = 0;
  for (const { id } of graph.nodes) top = Math.max(top, (saved[id]?.y ?? -rowStep) + rowStep);
  const rows = free.map(({ id }, index) => {
    const point = { x: (index % columns) * columnStep, y: top + Math.floor(index / columns) * rowStep };
    return [id, point] as const;
  });
  return { ...saved, ...Object.fromEntries(rows) };
}

/** Each thread has one cache. Folders arrive as copies, and most files equal those of the previous folder. */
const known = createKnownReadings(24_000_000);
const bytesPerPoint = 200;
const layouts = new LRUCache<string, Points>({
  maxSize: 8_000_000,
  sizeCalculation: (points, key) => 2 * key.length + Object.keys(points).length * bytesPerPoint,
});

/** Adds the function tools that no model could call. Files with other errors may have them for that reason. */
function withToolFaults(folder: Folder, parsed: ParsedFolder): ParsedFolder {
  if (parsed.issues.some(({ severity }) => severity === 'error')) return parsed;
  return { ...parsed, issues: [...parsed.issues, ...toolFaults(folder, parsed.cards)] };
}

function read(folder: Folder, progress: ReadingProgress): ParsedFolder {
  return readFolder(folder, progress, known);
}

/** Works like `layoutGraph`, with a cache, because a change of cards that leaves the graph as it is needs no new layout. */
async function rememberedLayout(graph: Graph, positions: Points): Promise<Points> {
  const key = JSON.stringify([
    graph.nodes.map((node) => [node.id, outletWidth(graph, node)]),
    graph.edges.map((edge) => [edge.source, edge.target]),
    positions,
  ]);
  const before = layouts.get(key);
  if (before !== undefined) return before;
  const points = await layoutGraph(graph, positions);
  layouts.set(key, points);
  return points;
}
