import type { ListedTools } from '@/lib/base/known-servers';
import { type LineFinder, lineFinder } from '@/lib/cards/read/line-finder';
import { agentChanges, entryChanges } from './agent-changes';
import { type Aligned, alignBefore, type Renames } from './align';
import { approvalChanges } from './approval-changes';
import {
  type Anchor,
  type CapabilityChange,
  capabilityKinds,
  type Found,
  type Place,
  type Weight,
} from './capability-change';
import { delegationChanges } from './delegation-changes';
import { fileChanges } from './file-changes';
import { hookChanges } from './hook-changes';
import { cardLimitChanges, projectLimitChanges } from './limit-changes';
import { alignedLists } from './listed-changes';
import { cardModelChanges, modelChanges } from './model-changes';
import { agentPairs, type ReadProject, type Side, type Sides, sideOf } from './project-side';
import { promptChanges } from './prompt-changes';
import { reachChanges } from './reach-changes';
import { serverChanges } from './server-changes';
import { settingChanges } from './setting-changes';
import { toolChanges } from './tool-changes';

/** What MCP servers listed when each folder was looked at. */
export interface Listed {
  readonly before?: ListedTools;
  readonly after?: ListedTools;
}

/**
 * Says in plain sentences what a folder can do that it could not before, what it can no longer do, and what it does differently. More
 * power comes first. Both folders are read, nothing of them runs.
 *
 *   before ──renames repeated──▶ before' ─┐
 *   after ────────────────────────────────┴─▶ tools · servers · hooks · approvals · limits · … ──▶ sentences
 *
 * The result is empty for folders that differ only in form: order of keys, comments, quotes, layout, defaults that are written out.
 */
export function capabilityChanges(
  before: ReadProject,
  after: ReadProject,
  listed: Listed = {},
): readonly CapabilityChange[] {
  return changesBetween(alignBefore(before, after), after, listed);
}

/** The same for folders whose renames are known. */
export function changesBetween(aligned: Aligned, after: ReadProject, listed: Listed): readonly CapabilityChange[] {
  const lists = alignedLists(listed.before ?? {}, listed.after ?? {}, aligned.servers);
  const sides: Sides = { before: sideOf(aligned.before, lists.before), after: sideOf(after, lists.after) };
  const found = [
    ...renameChanges(aligned),
    ...serverChanges(sides),
    ...reachChanges(sides),
    ...approvalChanges(sides),
    ...hookChanges(sides, aligned),
    ...fileChanges(sides, aligned),
    ...projectLimitChanges(sides),
    ...modelChanges(sides),
    ...settingChanges(sides),
    ...entryChanges(sides),
    ...agentPairs(sides).flatMap((pair) => [
      ...agentChanges(pair),
      ...toolChanges(sides, pair, aligned),
      ...delegationChanges(sides, pair),
      ...promptChanges(sides, pair),
      ...cardLimitChanges(sides, pair),
      ...cardModelChanges(sides, pair),
    ]),
  ];
  const places = placesIn(sides, aligned);
  const told = new Map(found.map(({ at, ...change }) => [`${change.weight} ${change.sentence}`, { ...change, at }]));
  return [...told.values()]
    .sort(byWeight)
    .map(({ at, ...change }): CapabilityChange => ({ ...change, anchor: places(at, change.subject.agent) }));
}

const weights: readonly Weight[] = ['more', 'same-but-different', 'less'];

function byWeight(a: Found, b: Found): number {
  return (
    weights.indexOf(a.weight) - weights.indexOf(b.weight) ||
    capabilityKinds.indexOf(a.kind) - capabilityKinds.indexOf(b.kind) ||
    (a.sentence < b.sentence ? -1 : a.sentence > b.sentence ? 1 : 0)
  );
}

/** Files that only moved change nothing, so they are not told. */
function renameChanges({ agents, servers, functions }: Renames): Found[] {
  const common = { kind: 'renamed', weight: 'same-but-different' } as const;
  return [
    ...[...agents].map(([before, after]): Found => {
      const sentence = `Agent '${before}' is renamed to '${after}'.`;
      return { ...common, sentence, before, after, subject: { agent: after }, at: { agent: after, path: ['name'] } };
    }),
    ...[...servers].map(([before, after]): Found => {
      const sentence = `The server '${before}' is renamed to '${after}'.`;
      return { ...common, sentence, before, after, subject: { server: after }, at: { server: after } };
    }),
    ...[...functions].map(([from, to]): Found => {
      const [file, before, after] = [to.slice(0, to.lastIndexOf(':')), nameIn(from), nameIn(to)];
      const sentence = `The function '${before}' of ${file} is renamed to '${after}'.`;
      return { ...common, sentence, before, after, subject: { hook: after, file }, at: { file } };
    }),
  ];
}

function nameIn(key: string): string {
  return key.slice(key.lastIndexOf(':') + 1);
}

type Find = (place: Place, agent: string | undefined) => Anchor;

/** Finds the line in the folder after, else in the one before, whose files get their old paths back. */
function placesIn({ before, after }: Sides, { files }: Renames): Find {
  const oldPaths = new Map([...files].map(([from, to]) => [to, from]));
  const [old, now] = [lineFinder(before.folder), lineFinder(after.folder)];
  return (place, agent) => {
    const node = nodeOf(place, agent, after);
    const found = placeIn(place, after, now) ?? placeIn(place, before, old);
    const at = (side: Anchor['side'], file: string, line: number): Anchor => ({
      side,
      file,
      line,
      ...(node === undefined ? {} : { node }),
    });
    if (found === undefined) return fallback(place, after, at);
    if (found.side === after) return at('after', found.file, found.line);
    return at('before', oldPaths.get(found.file) ?? found.file, found.line);
  };
}

interface FoundPlace {
  readonly side: Side;
  readonly file: string;
  readonly line: number;
}

/** Looks for the key, then for the keys above it. A file that is there at all is found at its first line. */
function placeIn(place: Place, side: Side, lines: LineFinder): FoundPlace | undefined {
  const [file, path] = keyOf(place, side);
  if (file === undefined || !side.folder.has(file)) return undefined;
  for (let length = path.length; length > 0; length -= 1) {
    const line = lines.ofKey(file, path.slice(0, length));
    if (line !== undefined) return { side, file, line };
  }
  return 'file' in place || 'agent' in place ? { side, file, line: 1 } : undefined;
}

function keyOf(
  place: Place,
  { cards, parsed }: Side,
): readonly [file: string | undefined, path: readonly (string | number)[]] {
  if ('file' in place) return [place.file, []];
  if ('agent' in place) return [cards.get(place.agent)?.file, place.path ?? []];
  if ('settings' in place) return [parsed.settingsFile, place.settings];
  if ('config' in place) return [parsed.config.file, place.config];
  if (Object.hasOwn(parsed.config.servers, place.server)) {
    return [parsed.config.file, ['mcp', 'servers', place.server, ...(place.path ?? [])]];
  }
  const card = parsed.cards.find(
    (one) => one.type === 'agent' && one.mcpConnect.some(({ name }) => name === place.server),
  );
  return [card?.file, ['mcp_connect']];
}

function fallback(
  place: Place,
  { cards, parsed }: Side,
  at: (side: Anchor['side'], file: string, line: number) => Anchor,
): Anchor {
  if ('agent' in place) return at('after', cards.get(place.agent)?.file ?? '', 1);
  if ('file' in place) return at('after', place.file, 1);
  const file =
    'settings' in place ? (parsed.settingsFile ?? 'callboard.yaml') : (parsed.config.file ?? 'fast-agent.yaml');
  return at('after', file, 1);
}

function nodeOf(place: Place, agent: string | undefined, { cards }: Side): string | undefined {
  if ('server' in place) return `server:${place.server}`;
  const name = 'agent' in place ? place.agent : agent;
  return name === undefined || !cards.has(name) ? undefined : `agent:${name}`;
}
