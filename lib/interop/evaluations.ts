import { type GivenScore, isScoreName, mostScoreNote, mostScoresOfRun } from '@/lib/base/score';
import { sha256 } from '@/lib/base/sha256';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { ReceivedLog } from './otlp/received-log';
import { asText } from './spans/reading/span-reader';

/**
 * Returns the scores among log records (`gen_ai.evaluation.result`). `events` are those of the run; a record whose span is not among them
 * is about the whole run. A value that is not from 0 to 1 is in the note. Of what a program says again under a name, only the last is
 * returned, and of all not more than a run has. A record without a value and a note says nothing.
 */
export function evaluationsIn(logs: readonly ReceivedLog[], events: readonly RunEvent[]): readonly GivenScore[] {
  const given = logs.filter(({ name }) => name === 'gen_ai.evaluation.result');
  if (given.length === 0) return [];
  const opened = new Map(events.flatMap(({ seq, imported }) => (imported === undefined ? [] : [[imported.id, seq]])));
  const last = new Map<string, GivenScore>();
  for (const record of given.toSorted((a, b) => a.at - b.at)) {
    const one = givenBy(record, record.spanId === undefined ? undefined : opened.get(record.spanId));
    const { span, name, value, note } = one.score;
    if (value !== null || note !== null) last.set(JSON.stringify([span, name, one.author]), one);
  }
  return [...last.values()].slice(0, mostScoresOfRun);
}

/** `span` is the event that opened the span of the record. */
function givenBy(record: ReceivedLog, span: number | undefined): GivenScore {
  const { attributes, resource } = record;
  const text = (key: string) => asText(attributes[`gen_ai.evaluation.${key}`]);
  const value = Number(text('score.value') ?? Number.NaN);
  const isShare = value >= 0 && value <= 1;
  const other = isShare || Number.isNaN(value) ? undefined : String(value);
  const note = [other, text('score.label'), text('explanation')].filter((part) => part !== undefined).join(': ');
  const name = (text('name') ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '_')
    .slice(0, 40);
  return {
    id: `${sha256(new TextEncoder().encode(JSON.stringify(record))).slice(0, 32)}${span === undefined ? '' : ' of a span'}`,
    author: `${asText(resource['service.name']) || 'a program'} (OpenTelemetry)`.slice(0, 200),
    score: {
      span,
      name: isScoreName(name) ? name : 'evaluation',
      value: isShare ? value : null,
      note: note === '' ? null : note.slice(0, mostScoreNote),
    },
  };
}
