/**
 * Encodes a trace as bytes for the network: `CBT`, a format number, a JSON head (strings, lanes, what is still open), then
 * one stream per column, each a run of varints. Columns of like numbers gzip to less than 10 bytes a span. A decoded trace
 * can fold further events after `lastSeq`, as if it had folded every event itself.
 *
 *   CBT 11 │ head length │ head (JSON) │ flags… │ start… │ duration… │ lane… │ parent… │ name… │ …
 */

import { isRecord } from '@/lib/base/json';
import { slotsOf } from './busy-slots';
import { ByteReader, ByteWriter } from './byte-stream';
import { emptyTrace } from './empty-trace';
import { FreeSlots } from './free-slots';
import { LaneSpans } from './lane-spans';
import { spanKinds, spanStatuses } from './span';
import { NO_SPAN, toolSources } from './span-table';
import type { HookTotal, Lane, LogMark, RunFacts, RunNote, Trace } from './trace';

/** Increase this number when the layout or what the fold counts changes. A reader refuses a format that it does not know. */
export const traceFormat = 11;
const magic = [0x43, 0x42, 0x54];

type WireLane = Omit<Lane, 'index' | 'children' | 'busySlots' | 'busyHooks' | 'spans' | 'decisions' | 'path'> & {
  readonly path?: string;
};

interface Head {
  readonly origin: number | null;
  readonly lastSeq: number;
  readonly lastAt: number;
  readonly count: number;
  readonly strings: readonly string[];
  readonly lanes: readonly WireLane[];
  readonly steps: readonly (readonly [string, number])[];
  readonly run: RunFacts;
  readonly logs: readonly LogMark[];
  readonly notes: readonly RunNote[];
  readonly hooks: readonly (readonly [string, HookTotal])[];
}

export function encodeTrace(trace: Trace): Uint8Array<ArrayBuffer> {
  const head: Head = {
    origin: trace.origin ?? null,
    lastSeq: trace.lastSeq,
    lastAt: trace.lastAt,
    count: trace.spans.length,
    strings: trace.strings,
    lanes: trace.lanes.map((lane) => wireLane(trace, lane)),
    steps: [...trace.steps],
    run: trace.run,
    logs: trace.logs,
    notes: trace.notes,
    hooks: [...trace.hookTotals],
  };
  const headBytes = new TextEncoder().encode(JSON.stringify(head));
  const out = new ByteWriter();
  for (const byte of magic) out.byte(byte);
  out.byte(traceFormat);
  out.varint(headBytes.length);
  out.append(headBytes);
  writeColumns(trace, out);
  return out.finish();
}

/** Decodes a trace. Throws a `RangeError` if the bytes are not a trace, are cut short, or have an unknown format. */
export function decodeTrace(bytes: Uint8Array): Trace {
  const input = new ByteReader(bytes);
  for (const byte of magic) if (input.byte() !== byte) throw new RangeError('These bytes are not a trace.');
  const version = input.byte();
  if (version !== traceFormat) throw new RangeError(`Trace format ${version} is not known here. Reload the page.`);
  const head: unknown = JSON.parse(new TextDecoder().decode(input.take(input.varint())));
  if (!isHead(head)) throw new RangeError('The head of the trace is damaged.');
  const trace = emptyTrace();
  trace.origin = head.origin ?? undefined;
  trace.lastSeq = head.lastSeq;
  trace.lastAt = head.lastAt;
  trace.version = head.lastSeq;
  trace.strings.length = 0;
  trace.stringIds.clear();
  for (const text of head.strings) {
    trace.stringIds.set(text, trace.strings.length);
    trace.strings.push(text);
  }
  for (const [step, span] of head.steps) trace.steps.set(step, span);
  Object.assign(trace.run, head.run);
  for (const mark of head.logs)
    trace.logs.push({ ...mark, lane: mark.lane, span: mark.span, wait: mark.wait, serverName: mark.serverName });
  for (const note of head.notes) trace.notes.push(readNote(note));
  for (const [key, total] of head.hooks) trace.hookTotals.set(key, total);
  readLanes(trace, head.lanes);
  readColumns(trace, input, head.count);
  return trace;
}

/** A path is left out if it consists of its parent's path and its own name, as most do. */
function wireLane(trace: Trace, lane: Lane): WireLane {
  const { index, children, busySlots, busyHooks, spans, decisions, path, ...rest } = lane;
  const parent = lane.parent === undefined ? undefined : trace.lanes[lane.parent];
  return path === pathBelow(parent, lane.instanceName) ? rest : { ...rest, path };
}

function pathBelow(parent: Pick<Lane, 'path'> | undefined, instanceName: string): string {
  return parent === undefined ? instanceName : `${parent.path}/${instanceName}`;
}

function readLanes(trace: Trace, wire: readonly WireLane[]): void {
  for (const [index, from] of wire.entries()) {
    const parent = from.parent === undefined ? undefined : trace.lanes[from.parent];
    const path = from.path ?? pathBelow(parent, from.instanceName);
    const lane: Lane = {
      ...from,
      path,
      parentCorrelationId: from.parentCorrelationId,
      callId: from.callId,
      parent: from.parent,
      parentSpan: from.parentSpan,
      startedAt: from.startedAt,
      endedAt: from.endedAt,
      error: from.error,
      index,
      children: [],
      busySlots: new FreeSlots(),
      busyHooks: new FreeSlots(),
      forwarded: from.forwarded,
      session: from.session && { ...from.session, saved: from.session.saved, savedAt: from.session.savedAt },
      maxDisplay: from.maxDisplay,
      spans: new LaneSpans(),
      decisions: [],
    };
    trace.lanes.push(lane);
    trace.laneByPath.set(path, index);
  }
  for (const lane of trace.lanes) {
    ((lane.parent === undefined ? undefined : trace.lanes[lane.parent])?.children ?? trace.roots).push(lane.index);
  }
  const inOrder = (a: number, b: number) => (trace.lanes[a]?.order ?? 0) - (trace.lanes[b]?.order ?? 0) || a - b;
  trace.roots.sort(inOrder);
  for (const lane of trace.lanes) lane.children.sort(inOrder);
  trace.laneVersion = trace.lanes.length;
}

/** Adds the fields that are undefined, because JSON drops them but a note always has all its fields. */
function readNote(note: RunNote): RunNote {
  return note.kind === 'state' ? { ...note, lane: note.lane, from: note.from } : { ...note, lane: note.lane };
}

function writeColumns(trace: Trace, out: ByteWriter): void {
  const { spans } = trace;
  const count = spans.length;
  for (let i = 0; i < count; i++) out.byte(spans.kind.at(i) * spanStatuses.length + spans.status.at(i));
  for (let i = 0; i < count; i++) if (isTool(spans.kind.at(i))) out.byte(spans.source.at(i));
  for (let i = 0, last = 0; i < count; i++) {
    out.signed(spans.start.at(i) - last);
    last = spans.start.at(i);
  }
  for (let i = 0; i < count; i++) {
    const end = spans.end.at(i);
    out.varint(end === Number.POSITIVE_INFINITY ? 0 : end - spans.start.at(i));
  }
  for (let i = 0, last = 0; i < count; i++) {
    out.signed(spans.lane.at(i) - last);
    last = spans.lane.at(i);
  }
  // The parent of a step is most often the latest instance span of its lane, so that case is written as 0, the shortest
  // number.
  const latest = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const parent = spans.parent.at(i);
    const usual = latest.get(spans.lane.at(i)) ?? NO_SPAN;
    out.varint(parent === usual ? 0 : parent === NO_SPAN ? 1 : parent + 2);
    if (holdsSteps(spans.kind.at(i))) latest.set(spans.lane.at(i), i);
  }
  for (let i = 0; i < count; i++) out.varint(spans.name.at(i));
  for (let i = 0; i < count; i++) out.varint(spans.detail.at(i));
  for (let i = 0; i < count; i++) if (hasTokens(spans.kind.at(i))) out.varint(spans.inputTokens.at(i));
  for (let i = 0; i < count; i++) if (hasTokens(spans.kind.at(i))) out.varint(spans.outputTokens.at(i));
  for (const column of [spans.cachedTokens, spans.reasoningTokens, spans.firstToken]) {
    for (let i = 0; i < count; i++) if (isModel(spans.kind.at(i))) out.varint(column.at(i));
  }
  for (let i = 0, last = 0; i < count; i++) {
    out.signed(spans.startSeq.at(i) - last);
    last = spans.startSeq.at(i);
  }
  for (let i = 0; i < count; i++) {
    const seq = spans.endSeq.at(i);
    out.signed(seq === 0 ? 0 : seq - spans.startSeq.at(i));
  }
  for (let i = 0; i < count; i++) if (takesSlot(spans.kind.at(i))) out.varint(spans.slot.at(i));
  for (let i = 0; i < count; i++) out.varint(spans.attempt.at(i) - 1);
  for (let i = 0; i < count; i++) out.byte(spans.flags.at(i));
  // Only hooks have these two numbers. 0 stands for none.
  for (let i = 0; i < count; i++) {
    if (!isHook(spans.kind.at(i))) continue;
    const below = spans.below.get(i);
    out.varint(below === undefined ? 0 : below.at + 1);
    if (below !== undefined) out.varint(below.for);
  }
}

function readColumns(trace: Trace, input: ByteReader, count: number): void {
  const { spans } = trace;
  for (let i = 0; i < count; i++) {
    const flags = input.byte();
    spans.kind.push(Math.floor(flags / spanStatuses.length));
    spans.status.push(flags % spanStatuses.length);
  }
  for (let i = 0; i < count; i++) spans.source.push(isTool(spans.kind.at(i)) ? input.byte() % toolSources.length : 0);
  for (let i = 0, last = 0; i < count; i++) {
    last += input.signed();
    spans.start.push(last);
  }
  for (let i = 0; i < count; i++) {
    const duration = input.varint();
    spans.end.push(spans.status.at(i) === 0 ? Number.POSITIVE_INFINITY : spans.start.at(i) + duration);
  }
  for (let i = 0, last = 0; i < count; i++) {
    last += input.signed();
    spans.lane.push(last);
  }
  const latest = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const wire = input.varint();
    const usual = latest.get(spans.lane.at(i)) ?? NO_SPAN;
    spans.parent.push(wire === 0 ? usual : wire === 1 ? NO_SPAN : wire - 2);
    if (holdsSteps(spans.kind.at(i))) latest.set(spans.lane.at(i), i);
  }
  for (let i = 0; i < count; i++) spans.name.push(input.varint());
  for (let i = 0; i < count; i++) spans.detail.push(input.varint());
  for (let i = 0; i < count; i++) spans.inputTokens.push(hasTokens(spans.kind.at(i)) ? input.varint() : 0);
  for (let i = 0; i < count; i++) spans.outputTokens.push(hasTokens(spans.kind.at(i)) ? input.varint() : 0);
  for (const column of [spans.cachedTokens, spans.reasoningTokens, spans.firstToken]) {
    for (let i = 0; i < count; i++) column.push(isModel(spans.kind.at(i)) ? input.varint() : 0);
  }
  for (let i = 0, last = 0; i < count; i++) {
    last += input.signed();
    spans.startSeq.push(last);
  }
  for (let i = 0; i < count; i++) {
    const ahead = input.signed();
    spans.endSeq.push(ahead === 0 ? 0 : spans.startSeq.at(i) + ahead);
  }
  for (let i = 0; i < count; i++) spans.slot.push(takesSlot(spans.kind.at(i)) ? input.varint() : 0);
  for (let i = 0; i < count; i++) spans.attempt.push(input.varint() + 1);
  for (let i = 0; i < count; i++) spans.flags.push(input.byte());
  for (let i = 0; i < count; i++) {
    if (!isHook(spans.kind.at(i))) continue;
    const at = input.varint();
    if (at > 0) spans.below.set(i, { at: at - 1, for: input.varint() });
  }
  for (let i = 0; i < count; i++) {
    const lane = trace.lanes[spans.lane.at(i)];
    lane?.spans.push(i, spans.start.at(i), spans.end.at(i));
    if (spans.kindOf(i) === 'decision') lane?.decisions.push(i);
    if (spans.kindOf(i) === 'waiting') trace.questions.push(i);
    if (lane !== undefined && spans.statusOf(i) === 'open') slotsOf(trace, i, lane)?.add(spans.slot.at(i));
  }
}

function isTool(kind: number): boolean {
  return spanKinds[kind] === 'tool';
}

function isHook(kind: number): boolean {
  return spanKinds[kind] === 'hook';
}

function takesSlot(kind: number): boolean {
  return isTool(kind) || ['hook', 'framework', 'setup', 'waiting'].includes(spanKinds[kind] ?? '');
}

function holdsSteps(kind: number): boolean {
  return spanKinds[kind] === 'instance' || spanKinds[kind] === 'queued';
}

function isModel(kind: number): boolean {
  return spanKinds[kind] === 'model';
}

function hasTokens(kind: number): boolean {
  return isModel(kind) || holdsSteps(kind);
}

/** Checks only the outline, because our own server wrote the rest. */
function isHead(value: unknown): value is Head {
  return (
    isRecord(value) &&
    typeof value.lastSeq === 'number' &&
    typeof value.count === 'number' &&
    Array.isArray(value.strings) &&
    Array.isArray(value.lanes) &&
    Array.isArray(value.steps) &&
    Array.isArray(value.logs) &&
    Array.isArray(value.notes) &&
    Array.isArray(value.hooks) &&
    isRecord(value.run)
  );
}
