import type { ListedTools } from '@/lib/base/known-servers';
import { agentChanges, entryChanges } from './agent-changes';
import { type Aligned, alignBefore, type Renames } from './align';
import { anchorsIn } from './anchors';
import { approvalChanges } from './approval-changes';
import { type CapabilityChange, capabilityKinds, type Found, type Weight } from './capability-change';
import { delegationChanges } from './delegation-changes';
import { effectiveChanges } from './effective-changes';
import { fileChanges } from './file-changes';
import { hookChanges } from './hook-changes';
import { cardLimitChanges, projectLimitChanges } from './limit-changes';
import { alignedLists } from './listed-changes';
import { cardModelChanges, modelChanges } from './model-changes';
import { agentPairs, type ReadProject, type Sides, sideOf } from './project-side';
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
  const settings = [
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
  const found = [...settings, ...effectiveChanges(sides, aligned, settings)];
  const anchorOf = anchorsIn(sides, aligned);
  const told = new Map(found.map(({ at, ...change }) => [`${change.weight} ${change.sentence}`, { ...change, at }]));
  return [...told.values()]
    .sort(byWeight)
    .map(({ at, ...change }): CapabilityChange => ({ ...change, anchor: anchorOf(at, change) }));
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
