'use client';

import { useEffect, useMemo, useState } from 'react';
import { searchRun } from '@/lib/client/search-run';
import { spansNamed, spansOfSeqs } from '@/lib/trace/find-spans';
import type { Trace } from '@/lib/trace/trace';

export interface RunSearch {
  /** The spans found so far, in order. `undefined` without a text. */
  readonly spans: readonly number[] | undefined;
  readonly found: ReadonlySet<number> | undefined;
  /** The lanes that have one of them. */
  readonly lanes: ReadonlySet<number> | undefined;
  /** True while arguments, results and messages are searched on the server. */
  readonly busy: boolean;
  /** A sentence that says why only names were searched. */
  readonly error: string | undefined;
}

/** The server is asked once nobody has typed for so long. */
const settleMs = 200;

/** What the server has found for one text. */
interface Contents {
  readonly text: string;
  readonly seqs: ReadonlySet<number>;
  readonly done: boolean;
  readonly error: string | undefined;
}

/** Searches names in the browser at once, and what was said on the server, whose results are added as they come. */
export function useRunSearch(trace: Trace, version: number, text: string): RunSearch {
  const wanted = text.trim();
  const { runId, status } = trace.run;
  const [contents, setContents] = useState<Contents | undefined>(undefined);
  const ended = status !== undefined;

  // A search of a run that goes on is repeated once at its end, and not for every event.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ended` starts the search again
  useEffect(() => {
    if (wanted === '' || runId === '') return;
    const stop = new AbortController();
    const seqs = new Set<number>();
    const tell = (done: boolean, error?: string) =>
      !stop.signal.aborted && setContents({ text: wanted, seqs: new Set(seqs), done, error });
    const timer = setTimeout(() => {
      searchRun(runId, wanted, stop.signal, (more) => {
        for (const seq of more) seqs.add(seq);
        tell(false);
      }).then(
        () => tell(true),
        (error: unknown) => tell(true, error instanceof Error ? error.message : 'Only names were searched.'),
      );
    }, settleMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [runId, wanted, ended]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  const named = useMemo(() => (wanted === '' ? undefined : spansNamed(trace, wanted)), [trace, version, wanted]);
  const said = contents?.text === wanted ? contents : undefined;
  return useMemo(() => {
    const busy = wanted !== '' && said?.done !== true;
    if (named === undefined)
      return { spans: undefined, found: undefined, lanes: undefined, busy: false, error: undefined };
    const others = said === undefined ? [] : spansOfSeqs(trace, said.seqs);
    const found = new Set([...named, ...others]);
    const spans = others.length === 0 ? named : [...found].sort((a, b) => a - b);
    const lanes = new Set(spans.map((span) => trace.spans.lane.at(span)));
    return { spans, found, lanes, busy, error: said?.error };
  }, [named, said, trace, wanted]);
}
