import { alignBefore } from './align';
import type { CapabilityChange } from './capability-change';
import { changesBetween, type Listed } from './capability-changes';
import type { ReadProject } from './project-side';
import { diffBetween, type SemanticDiff } from './semantic-diff';

export interface ProjectComparison {
  readonly capabilities: readonly CapabilityChange[];
  readonly semantic: SemanticDiff;
  /** The folder before, with the names of the later one. */
  readonly before: ReadProject;
}

/** Two folders compared: what changes in power, and what changes part by part. Renames are looked for once. */
export function compareProjects(before: ReadProject, after: ReadProject, listed: Listed = {}): ProjectComparison {
  const aligned = alignBefore(before, after);
  return {
    capabilities: changesBetween(aligned, after, listed),
    semantic: diffBetween(aligned, after),
    before: aligned.before,
  };
}
