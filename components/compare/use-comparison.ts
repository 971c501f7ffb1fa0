'use client';

import { useEffect, useMemo, useRef, useState } from 'react';
import type { LiveTrace } from '@/components/run/use-run';
import { type ComparedRun, comparingRuns, noComparison, type RunComparison } from '@/lib/trace/compare/compare-runs';
import { inPieces } from './in-pieces';
import { type LoadedDigests, useDigests } from './use-digests';

export interface Comparison {
  readonly compared: RunComparison;
  /** Changes with the comparison, and whenever figures of a run that goes on are to be read again. */
  readonly version: string;
  /** True until the contents of both runs have been compared; before that only names and statuses are. */
  readonly isPartial: boolean;
  /** The share of the work that is done, from 0 to 1, while `isPartial`. */
  readonly progress: number;
  readonly error: string | undefined;
}

/** Runs that go on are compared again at most this often. */
const againMs = 1_000;

/** Compares two runs, again whenever one of them has changed. The page answers its user meanwhile. */
export function useComparison(idA: string, runA: LiveTrace, idB: string, runB: LiveTrace): Comparison {
  const [a, b] = [useDigests(idA, runA), useDigests(idB, runB)];
  const version = `${useSettled(runA)} ${useSettled(runB)}`;
  const { done, share } = useCompared(
    { trace: runA.trace, digests: a.digests },
    { trace: runB.trace, digests: b.digests },
    version,
  );
  // A run that has not arrived yet would look like one without steps.
  const areHere = runA.phase !== 'loading' && runB.phase !== 'loading';
  const isOfThese = areHere && done?.a.trace === runA.trace && done.b.trace === runB.trace;
  const isPartial = !isOfThese || !isComplete(done.a) || !isComplete(done.b);
  const loaded = (loadedShare(runA, a) + loadedShare(runB, b)) / 2;
  return {
    compared: isOfThese ? done.compared : noComparison,
    version: `${version} ${a.digests?.length} ${b.digests?.length}`,
    isPartial,
    // Loading takes most of the time, because the server reads all events for it.
    progress: loaded * 0.8 + (a.digests !== undefined && b.digests !== undefined ? share * 0.2 : 0),
    error: a.error ?? b.error,
  };
}

function isComplete({ trace, digests }: ComparedRun): boolean {
  return digests !== undefined && (trace.run.status === undefined || digests.length >= trace.lastSeq);
}

function loadedShare({ trace }: LiveTrace, { loaded }: LoadedDigests): number {
  return trace.lastSeq === 0 ? 0 : Math.min(1, loaded / trace.lastSeq);
}

interface Asked {
  readonly a: ComparedRun;
  readonly b: ComparedRun;
  readonly version: string;
}

/**
 * Compares in pieces between frames. What changes meanwhile is compared after that, so that a comparison that takes longer than a
 * run stays the same comes to its end.
 */
function useCompared(a: ComparedRun, b: ComparedRun, version: string) {
  const [done, setDone] = useState<(Asked & { readonly compared: RunComparison }) | undefined>(undefined);
  const [share, setShare] = useState(0);
  const { trace: traceA, digests: digestsA } = a;
  const { trace: traceB, digests: digestsB } = b;
  const asked = useMemo<Asked>(
    () => ({ a: { trace: traceA, digests: digestsA }, b: { trace: traceB, digests: digestsB }, version }),
    [traceA, digestsA, traceB, digestsB, version],
  );
  const latest = useRef(asked);
  const stop = useRef<(() => void) | undefined>(undefined);
  useEffect(() => {
    latest.current = asked;
    if (stop.current !== undefined) return;
    const begin = () => {
      const now = latest.current;
      stop.current = inPieces(comparingRuns(now.a, now.b), {
        onShare: setShare,
        onDone(compared) {
          setDone({ ...now, compared });
          stop.current = undefined;
          if (latest.current !== now) begin();
        },
      });
    };
    begin();
  }, [asked]);
  useEffect(
    () => () => {
      stop.current?.();
      stop.current = undefined;
    },
    [],
  );
  return { done, share };
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
