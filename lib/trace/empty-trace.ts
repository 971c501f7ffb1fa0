import { noUsage } from '@/lib/runtime/record/messages';
import { SpanTable } from './span-table';
import type { Trace } from './trace';

/** Makes the trace of a run without events. */
export function emptyTrace(): Trace {
  return {
    origin: undefined,
    lastSeq: 0,
    lastAt: 0,
    spans: new SpanTable(),
    strings: [''],
    stringIds: new Map([['', 0]]),
    lanes: [],
    laneByPath: new Map(),
    roots: [],
    steps: new Map(),
    questions: [],
    run: {
      runId: '',
      correlationId: '',
      entryAgent: '',
      scripted: false,
      status: undefined,
      error: undefined,
      usage: noUsage,
      askedAs: {},
      failedStarts: [],
      startChanges: [],
      resumed: [],
      suspended: [],
    },
    logs: [],
    notes: [],
    hookTotals: new Map(),
    version: 0,
    laneVersion: 0,
  };
}
