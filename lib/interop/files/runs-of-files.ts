import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import { sha256 } from '@/lib/base/sha256';
import { logOfSteps } from '@/lib/interop/log/log-of-steps';
import type { ReceivedLog } from '@/lib/interop/otlp/received-log';
import type { ReceivedSpan } from '@/lib/interop/otlp/received-span';
import type { RunToStore } from '@/lib/interop/run-of-spans';
import { asText } from '@/lib/interop/spans/reading/span-reader';
import { longestCorrelationId } from '@/lib/trace/run-group';
import { type AtifFiles, isAtif, namesOfAtif, readAtif } from './atif';
import { isEventLog, readEventLog } from './event-log';
import { readHistory, readSession } from './fast-agent-session';
import { type Conversation, stepsOfConversation } from './steps-of-conversation';
import { readTraceFile, readTraceLines, type TraceFile } from './trace-file';

/** A run that a file holds. `key` identifies it, so that importing the file again replaces the run. */
export interface RunOfFile {
  readonly key: string;
  readonly make: (runId: RunId) => RunToStore;
}

export interface RunsOfFiles {
  readonly runs: readonly RunOfFile[];
  /** Spans of OTLP files, which may belong to runs that have others already. */
  readonly spans: readonly ReceivedSpan[];
  /** Log records that belong to traces. */
  readonly logs: readonly ReceivedLog[];
  /** Files that hold no run. */
  readonly ignored: readonly string[];
  /** Sentences about what was left out of files. */
  readonly notes: readonly string[];
}

/**
 * Finds the runs in files, by their content: session folders of fast-agent, histories, ATIF, spans and event logs. `now`
 * is the time of runs whose files have no time at all. Throws `NotOtlp` and `UnreadableRecord` for damaged files.
 */
export function runsOfFiles(files: ReadonlyMap<string, string>, now: number): RunsOfFiles {
  const runs: RunOfFile[] = [];
  const spans: ReceivedSpan[] = [];
  const logs: ReceivedLog[] = [];
  const ignored: string[] = [];
  const notes: string[] = [];
  const take = (file: TraceFile) => {
    addAll(spans, file.spans);
    addAll(logs, file.logs);
    notes.push(...file.notes);
  };
  const parsed = new Map<string, Json>();
  for (const [path, text] of files) {
    const isLog = isEventLog(text);
    const value = isLog ? undefined : parseJson(text);
    if (isLog) runs.push(readEventLog(text));
    else if (value !== undefined) parsed.set(path, value);
    else {
      const lines = readTraceLines(path, text);
      if (lines === undefined) ignored.push(path);
      else take(lines);
    }
  }
  const sessions = takeSessions(parsed, now);
  runs.push(...sessions);
  const trajectories: AtifFiles = new Map(
    [...parsed].flatMap(([path, value]): [string, JsonObject][] => (isAtif(value) ? [[path, value]] : [])),
  );
  runs.push(...runsOfAtif(trajectories, now));
  for (const [path, value] of parsed) {
    const file = readTraceFile(path, value);
    if (file !== undefined) take(file);
    else if (trajectories.has(path)) continue;
    else if (isRecord(value) && Array.isArray(value.messages)) runs.push(runOfHistory(path, value as JsonObject, now));
    else ignored.push(path);
  }
  return { runs, spans, logs, ignored, notes };
}

/** Spread arguments are on the stack, which a file of many spans overflows. */
function addAll<T>(to: T[], list: readonly T[]): void {
  for (const one of list) to.push(one);
}

/** Takes the files of each session folder out of `parsed`. */
function takeSessions(parsed: Map<string, Json>, now: number): readonly RunOfFile[] {
  const folders = [...parsed.keys()]
    .filter((path) => /(?:^|\/)session\.json$/.test(path))
    .map((path) => path.slice(0, -'session.json'.length));
  // The innermost folder is first, because a session may lie in another one.
  folders.sort((a, b) => b.length - a.length);
  return folders.flatMap((folder) => {
    const paths = [...parsed.keys()].filter((path) => path.startsWith(folder));
    const session = readSession(new Map(paths.map((path) => [path.slice(folder.length), parsed.get(path) ?? null])));
    if (session === undefined) return [];
    for (const path of paths) parsed.delete(path);
    const { sessionId, parentSession, conversation, startedAt, status } = session;
    const ended = status === 'failed' || status === 'cancelled' ? status : undefined;
    const group = parentSession ?? sessionId;
    return [runOf(`fast-agent\n${sessionId}`, 'fast-agent', group, conversation, startedAt ?? now, ended)];
  });
}

/** Documents that no other names are runs, with those that they name; then those that were named and not read. */
function runsOfAtif(files: AtifFiles, now: number): readonly RunOfFile[] {
  const runs: RunOfFile[] = [];
  const names = namesOfAtif(files);
  const left = new Set(files.keys());
  while (left.size > 0) {
    const named = new Set([...left].flatMap((path) => names.get(path) ?? []));
    const roots = [...left].filter((path) => !named.has(path));
    // Documents that name each other in a circle: the first is the run.
    const isFirst = left.size === files.size;
    for (const path of roots.length > 0 ? roots : [...left].slice(0, 1)) {
      const { sessionId, conversation, taken } = readAtif(path, files);
      const id = asText(files.get(path)?.trajectory_id) ?? 'trajectory';
      const key = `atif\n${sessionId}\n${id}`;
      // A document that was to be a part of another may have the same ids.
      const isPart = !isFirst && runs.some((run) => run.key === key);
      runs.push(runOf(isPart ? `${key}\n${path}` : key, 'atif', sessionId, conversation, now, undefined));
      left.delete(path);
      for (const one of taken) left.delete(one);
    }
  }
  return runs;
}

function runOfHistory(path: string, history: JsonObject, now: number): RunOfFile {
  const name = /(?:^|\/)(?:history_)?([^/]+)\.json$/.exec(path)?.[1] ?? 'agent';
  const key = sha256(new TextEncoder().encode(JSON.stringify(history)));
  return runOf(`history\n${key}`, 'fast-agent', key.slice(0, 32), readHistory(history, name), now, undefined);
}

function runOf(
  key: string,
  source: string,
  group: string,
  conversation: Conversation,
  from: number,
  status: 'failed' | 'cancelled' | undefined,
): RunOfFile {
  const correlationId = brandAs<CorrelationId>(group.slice(0, longestCorrelationId));
  const recordedBy = source === 'atif' ? 'ATIF' : 'fast-agent';
  const make = (runId: RunId): RunToStore => {
    const steps = stepsOfConversation(conversation, from);
    const few = 'Files of this kind have few times. Most starts and ends are estimated; each bar says which.';
    const notes = [few, ...(conversation.notes ?? [])];
    const facts = { runId, correlationId, name: conversation.agentName, recordedBy, status, notes };
    return { source, correlationId, events: logOfSteps(steps, facts) };
  };
  return { key, make };
}
