import type { RunColumns } from '@/lib/trace/analysis/run-columns';
import { kindCodes, type SpanKind, spanKinds } from '@/lib/trace/span';
import { NO_SPAN } from '@/lib/trace/span-table';
import type { SeededRandom } from './seeded-random';

/** A span for tests: `[parent or -1, start, end, kind]`. Its number is its place in the list. */
export type SpanRow = readonly [parent: number, start: number, end: number, kind?: SpanKind];

/** Makes columns of bare spans, all in one lane. */
export function columnsOfSpans(rows: readonly SpanRow[], length?: number): RunColumns {
  const count = rows.length;
  const ends = rows.map(([, , end]) => end);
  return {
    count,
    kind: Uint8Array.from(rows, ([, , , kind]) => kindCodes[kind ?? 'instance']),
    status: new Uint8Array(count).fill(1),
    source: new Uint8Array(count),
    start: Float64Array.from(rows, ([, start]) => start),
    end: Float64Array.from(ends),
    lane: new Uint32Array(count),
    parent: Uint32Array.from(rows, ([parent]) => (parent < 0 ? NO_SPAN : parent)),
    name: new Uint32Array(count),
    detail: new Uint32Array(count),
    belowAt: new Float64Array(count).fill(Number.NaN),
    belowFor: new Float64Array(count).fill(Number.NaN),
    flags: new Uint8Array(count),
    lost: new Uint8Array(count),
    strings: [''],
    lanes: [],
    length: length ?? ends.reduce((most, end) => Math.max(most, end), 0),
  };
}

/** Spans of a framework are in no figure. */
const stepKinds = spanKinds.filter((kind) => kind !== 'framework');

/** Makes a random tree. Some children begin before their parent or end after it, some take no time. */
export function randomSpans(random: SeededRandom, count: number, most: number): readonly SpanRow[] {
  const rows: SpanRow[] = [];
  for (let i = 0; i < count; i++) {
    const parent = i === 0 || random.below(12) === 0 ? -1 : random.below(i);
    const [, from, to] = rows[parent] ?? [-1, 0, most];
    const room = Math.max(1, to - from);
    const start = from + random.below(room) - (random.below(10) === 0 ? 2 : 0);
    const end = start + random.below(room) + (random.below(10) === 0 ? 3 : 0);
    rows.push([parent, Math.max(0, start), Math.max(start, end), random.pick(stepKinds)]);
  }
  return rows;
}
