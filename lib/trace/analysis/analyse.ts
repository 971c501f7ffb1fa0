import { type Occupancy, occupancy } from './activity-sweep';
import { batchesOf } from './batches';
import { criticalPath } from './critical-path';
import type { RunColumns } from './run-columns';
import { type Stragglers, stragglersOf } from './stragglers';
import { type Totals, totalsOf } from './totals';
import { type WhatIf, whatIf } from './what-if';
import { type Activity, activities, ownTimes, type WorkTree, workTree } from './work-tree';

/** A stretch of the critical path. */
export interface PathStep {
  /** `undefined` for time outside every span. */
  readonly span: number | undefined;
  readonly activity: Activity | undefined;
  readonly from: number;
  readonly to: number;
}

/** Everything that the insight tab shows about a run. It is plain data, which a Web Worker can send. */
export interface Analysis {
  /** Where the part that was analysed begins, in microseconds since the origin; 0 for a whole run. Its times count from there. */
  readonly from: number;
  /** The length of the run, or of the part, in microseconds. */
  readonly length: number;
  readonly occupancy: Occupancy;
  readonly path: readonly PathStep[];
  readonly stragglers: Stragglers;
  readonly whatIf: WhatIf;
  readonly totals: Totals;
}

/** Analyses a run. 100,000 spans take a fraction of a second, so a page calls it in a Web Worker. */
export function analyse(run: RunColumns): Analysis {
  const tree = workTree(run);
  const own = ownTimes(tree);
  return {
    from: run.from ?? 0,
    length: run.length,
    occupancy: occupancy(tree),
    path: pathSteps(tree),
    stragglers: stragglersOf(run),
    whatIf: whatIf(run, batchesOf(tree, own)),
    totals: totalsOf(tree, own),
  };
}

/** Returns the critical path with spans for nodes. Neighbours of one span and one activity are joined. */
export function pathSteps(tree: WorkTree): readonly PathStep[] {
  const steps: PathStep[] = [];
  for (const { node, from, to } of criticalPath(tree)) {
    const span = node < 0 ? undefined : tree.span[node];
    const activity = node < 0 ? undefined : activities[tree.activity[node] ?? 0];
    const last = steps.at(-1);
    if (last !== undefined && last.span === span && last.activity === activity && last.to === from) {
      steps[steps.length - 1] = { ...last, to };
    } else steps.push({ span, activity, from, to });
  }
  return steps;
}
