import type { RunId, TreeHash } from './ids';

/** What tests of a folder found: `callboard test`, the page of tests and the gate before publishing show the same. */

/** `replay`: models and tools answer from the recording. `live`: they are asked. */
export const fixtureModes = ['replay', 'live'] as const;
export type FixtureMode = (typeof fixtureModes)[number];

/** The test that a run is. */
export interface FixtureRun {
  readonly name: string;
  readonly mode: FixtureMode;
}

/** One expectation of a test, with what was found. Texts are cut to what a reader takes in. */
export interface FixtureFinding {
  /** A stable name of what was compared: `answer`, `error`, `calls`, `order`, `hooks`, `limits`, `rubric`, `recording`. */
  readonly what: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly expected: string;
  readonly got: string;
}

/** `broken`: the test could not run, because its files have a fault. */
export type FixtureStatus = 'passed' | 'failed' | 'broken';

export interface FixtureResult {
  readonly name: string;
  readonly mode: FixtureMode;
  readonly status: FixtureStatus;
  readonly findings: readonly FixtureFinding[];
  /** Why a test is broken. */
  readonly problem?: string | undefined;
  /** Milliseconds from the start of the run to its end. */
  readonly tookMs: number;
  /** US dollars that were spent now. A replay spends nothing, except on a rubric. */
  readonly costUsd?: number | undefined;
}

/** The newest run of a test on one tree. */
export interface StoredFixtureResult extends Omit<FixtureResult, 'status'> {
  readonly runId: RunId;
  readonly treeHash: TreeHash;
  /** `running`: it is queued or has not ended. */
  readonly status: FixtureStatus | 'running';
  /** When it was started, in epoch milliseconds. */
  readonly at: number;
}
