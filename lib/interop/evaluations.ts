import { isScoreName, mostScoreNote, type NewScore } from '@/lib/base/score';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { ReceivedLog } from './otlp/received-log';
import { asText } from './spans/reading/span-reader';

/** A score that a program gave by a log record, with the name of the program. */
export interface Evaluation {
  readonly score: NewScore;
  readonly author: string;
}

/**
 * Returns the scores among log records (`gen_ai.evaluation.result`). `events` are those of the run; a record whose span is not among them
 * is about the whole run. A value that is not from 0 to 1 is in the note.
 */
export function evaluationsIn(logs: readonly ReceivedLog[], events: readonly RunEvent[]): readonly Evaluation[] {
  const given = logs.filter(({ name }) => name === 'gen_ai.evaluation.result');
  if (given.length === 0) return [];
  const opened = new Map(events.flatMap(({ seq, imported }) => (imported === undefined ? [] : [[imported.id, seq]])));
  return given.map(({ spanId, attributes, resource }) => {
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
      author: `${asText(resource['service.name']) || 'a program'} (OpenTelemetry)`.slice(0, 200),
      score: {
        ...(spanId !== undefined && { span: opened.get(spanId) }),
        name: isScoreName(name) ? name : 'evaluation',
        value: isShare ? value : null,
        note: note === '' ? null : note.slice(0, mostScoreNote),
      },
    };
  });
}
