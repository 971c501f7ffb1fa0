import type { StoredEvent } from './api';
import type { CallBook } from './call-book';
import { stepsOfRun } from './load';
import type { Reader } from './reader';

/** Returns what is wrong with the log of one run, a sentence each. */
export function faultsOfLog(name: string, log: readonly StoredEvent[], book: CallBook): readonly string[] {
  return [
    ...log.filter((event, index) => event.seq !== index + 1).map((event) => `${name}: seq ${event.seq} is out of line`),
    ...log
      .filter((event, index) => event.at < (log[index - 1]?.at ?? 0))
      .map((event) => `${name}: time goes back at ${event.seq}`),
    ...stepsAfterTheirEnd(log).map((step) => `${name}: ${step} after its end`),
    ...ends(log).map((problem) => `${name}: ${problem}`),
    ...log.flatMap((event) => repeatedCall(event, book)).map((problem) => `${name}: ${problem}`),
  ];
}

/** Returns what the reader was told and the log does not say, or says differently. */
export function faultsOfReader(name: string, reader: Reader, log: readonly StoredEvent[]): readonly string[] {
  const wrongOrder = reader.seen.flatMap(({ seq }, index) =>
    seq === index + 1 ? [] : [`${name}: seq ${seq} was told as number ${index + 1}`],
  );
  const changed = reader.seen.flatMap(({ seq, text }) => {
    const stored = log[seq - 1]?.text;
    return stored === text ? [] : [`${name}: event ${seq} was ${text}, and is ${stored}`];
  });
  const missing =
    reader.seen.length === log.length ? [] : [`${name}: ${reader.seen.length} of ${log.length} events were told`];
  return [...wrongOrder, ...changed, ...missing];
}

function stepsAfterTheirEnd(log: readonly StoredEvent[]): readonly string[] {
  const ended = new Set<string>();
  const wrong: string[] = [];
  for (const { kind, step, seq } of log) {
    if (step === undefined || kind === 'log') continue;
    if (ended.has(step)) wrong.push(`${kind} ${step} (${seq})`);
    if (kind.endsWith('.ended')) ended.add(step);
  }
  return wrong;
}

function ends(log: readonly StoredEvent[]): readonly string[] {
  const model = log.filter((event) => event.kind === 'model.ended').length;
  const tool = log.filter(
    (event) => event.kind === 'tool.ended' && answerOf(event)?.startsWith('run-') === true && event.step?.includes('/'),
  ).length;
  const finished = log.filter((event) => event.kind === 'run.finished').length;
  return [
    ...(model === stepsOfRun.model ? [] : [`${model} model steps ended, not ${stepsOfRun.model}`]),
    ...(tool === stepsOfRun.tool ? [] : [`${tool} tool calls ended, not ${stepsOfRun.tool}`]),
    ...(finished === 1 && log.at(-1)?.kind === 'run.finished' ? [] : [`run.finished is there ${finished} times`]),
  ];
}

/** Compares a recorded answer with the calls. It must be the last one that was given. */
function repeatedCall(event: StoredEvent, book: CallBook): readonly string[] {
  const answer = answerOf(event);
  const [, step, recorded] = /^(run-[\d.]+#\d+) (\S+)/.exec(answer ?? '') ?? [];
  if (step === undefined || recorded === undefined) return [];
  const isModel = event.kind === 'model.ended';
  if (!isModel && !(event.kind === 'tool.ended' && event.step?.includes('/'))) return [];
  const last = isModel ? book.lastModelCall(step) : book.lastToolCall(step);
  return last === recorded ? [] : [`${step} was asked again: call ${recorded} is recorded, ${last} was the last`];
}

function answerOf(event: StoredEvent): string | undefined {
  const content = event.kind === 'model.ended' ? event.message?.content : event.result?.content;
  return content?.[0]?.text;
}
