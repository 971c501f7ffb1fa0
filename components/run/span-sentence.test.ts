import { expect, it } from 'vitest';
import { begin, ended, fold, log, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { spanSentence } from './span-sentence';

it('says the name of an instance once, and the status in the words of the page', () => {
  const trace = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [2, toolOn('lead', 1, 'time')],
      [3, toolOff('lead', 1, true)],
      [4, ended('lead', 'failed')],
    ),
  );
  const sentences = Array.from({ length: trace.spans.length }, (_, span) => spanSentence(trace, span, undefined));
  expect(sentences).toEqual(['lead, Failed, from 0 ms', 'time, lead, Timed out, from 2 ms']);
});
