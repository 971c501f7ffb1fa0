'use client';

import { useEffect, useMemo, useState } from 'react';
import type { LiveTrace } from '@/components/run/use-run';
import { compareRuns, type RunComparison } from '@/lib/trace/compare/compare-runs';
import { useDigests } from './use-digests';

export interface Comparison {
  readonly compared: RunComparison;
  /** Changes with the comparison, and whenever figures of a run that goes on are to be read again. */
  readonly version: string;
  /** True until the contents of both runs have been compared; before that only names and statuses are. */
  readonly isPartial: boolean;
  readonly error: string | undefined;
}

/** Runs that go on are compared again at most this often. */
const againMs = 1_000;

/** Compares two runs, again whenever one of them has changed. */
export function useComparison(idA: string, runA: LiveTrace, idB: string, runB: LiveTrace): Comparison {
  const [a, b] = [useDigests(idA, runA), useDigests(idB, runB)];
  const version = `${useSettled(runA)} ${useSettled(runB)}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the traces change in place; `version` says when
  const compared = useMemo(
    () => compareRuns({ trace: runA.trace, digests: a.digests }, { trace: runB.trace, digests: b.digests }),
    [runA.trace, runB.trace, a.digests, b.digests, version],
  );
  return {
    compared,
    version: `${version} ${a.digests?.length} ${b.digests?.length}`,
    isPartial: !isComplete(runA, a.digests) || !isComplete(runB, b.digests),
    error: a.error ?? b.error,
  };
}

function isComplete({ trace }: LiveTrace, digests: Uint32Array | undefined): boolean {
  return digests !== undefined && (trace.run.status === undefined || digests.length >= trace.lastSeq);
}

/** Returns the version of a run; while the run goes on, one that changes about once a second. */
function useSettled({ version, phase }: LiveTrace): number {
  const [settled, setSettled] = useState(version);
  const live = phase === 'live' || phase === 'reconnecting';
  useEffect(() => {
    if (!live || settled === version) return;
    const timer = setTimeout(() => setSettled(version), againMs);
    return () => clearTimeout(timer);
  }, [live, settled, version]);
  return live ? settled : version;
}
