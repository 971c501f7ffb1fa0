'use client';

import { useEffect, useMemo, useRef, useState } from 'react';
import { searchRun } from '@/lib/client/search-run';
import { addSpansOf, EventPick, FoundSpans, lanesOf, NameSearch, searchedAmong } from '@/lib/trace/find-spans';
import type { Trace } from '@/lib/trace/trace';

export interface RunSearch {
  /** The spans found so far. `undefined` without a text. */
  readonly found: FoundSpans | undefined;
  /** The lanes that have one of them. */
  readonly lanes: ReadonlySet<number> | undefined;
  /** True while arguments, results and messages are searched on the server. */
  readonly busy: boolean;
  /** A sentence that says why only names were searched. */
  readonly error: string | undefined;
}

const noSearch: RunSearch = { found: undefined, lanes: undefined, busy: false, error: undefined };

/** The server is asked once nobody has typed for so long. */
const settleMs = 100;
/** After its first answer, further results are shown at most this often, because each of them may change the rows. */
const tellMs = 200;

/** What the server has found for one text. A change makes a new object around the same events. */
interface Contents {
  readonly text: string;
  readonly events: EventPick;
  readonly done: boolean;
  readonly error: string | undefined;
}

/** Searches names in the browser at once, and what was said on the server, whose results are added as they come. */
export function useRunSearch(trace: Trace, version: number, text: string): RunSearch {
  const wanted = text.trim();
  const said = useContents(trace, wanted);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another trace has other names
  const names = useMemo(() => new NameSearch(), [trace]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  const named = useMemo(() => (wanted === '' ? undefined : names.find(trace, wanted)), [trace, version, names, wanted]);
  return useMemo(() => {
    if (named === undefined) return noSearch;
    const busy = said?.done !== true;
    const hasMore = said !== undefined && said.events.seqs.length > 0;
    const found = hasMore ? new FoundSpans(trace.spans.length, named) : named;
    if (hasMore) addSpansOf(trace, said.events, found);
    return { found, lanes: lanesOf(trace, found), busy, error: said?.error };
  }, [named, said, trace]);
}

/** Asks the server where a text was said. A run that goes on is searched once more at its end, and not for every event. */
function useContents(trace: Trace, wanted: string): Contents | undefined {
  const { runId, status } = trace.run;
  const [contents, setContents] = useState<Contents | undefined>(undefined);
  const ended = status !== undefined;
  /** The last text that was searched to the end of an ended run. */
  const whole = useRef<{ readonly trace: Trace; readonly text: string; readonly seqs: readonly number[] }>(undefined);

  useEffect(() => {
    if (wanted === '' || runId === '') return;
    const stop = new AbortController();
    const events = new EventPick();
    const before = whole.current?.trace === trace && ended ? whole.current : undefined;
    const among = searchedAmong(wanted, before);
    let later: ReturnType<typeof setTimeout> | undefined;
    const tell = (done: boolean, error?: string) => {
      clearTimeout(later);
      later = undefined;
      if (stop.signal.aborted) return;
      setContents({ text: wanted, events, done, error });
      if (done && error === undefined && ended) whole.current = { trace, text: wanted, seqs: events.seqs };
    };
    const take = (seqs: readonly number[]) => {
      const isFirst = events.seqs.length === 0;
      for (const seq of seqs) events.add(seq);
      if (isFirst) tell(false);
      else later ??= setTimeout(() => tell(false), tellMs);
    };
    const ask = () =>
      searchRun({ runId, text: wanted, among }, stop.signal, take).then(
        () => tell(true),
        (error: unknown) => tell(true, error instanceof Error ? error.message : 'Only names were searched.'),
      );
    const timer = setTimeout(() => (among?.length === 0 ? tell(true) : void ask()), settleMs);
    return () => {
      clearTimeout(timer);
      clearTimeout(later);
      stop.abort();
    };
  }, [trace, runId, wanted, ended]);
  return contents?.text === wanted ? contents : undefined;
}
