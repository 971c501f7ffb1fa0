import { expect, it } from 'vitest';
import { largeRun } from '@/lib/testing/large-run';
import { begin, fold, log, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { addSpansOf, EventPick, FoundSpans, lanesOf, NameSearch, searchedAmong } from './find-spans';
import { spanDetail, spanName, type Trace } from './trace';

const trace = fold(
  log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [1, toolOn('lead', 1, 'agent__kid', 'agent')],
    [1, queued('lead/kid[1]', 'lead#t1')],
    [1, started('lead/kid[1]')],
    [4, toolOn('lead/kid[1]', 1, 'maps__distance')],
    [5, toolOff('lead/kid[1]', 1, true)],
  ),
);
const large = fold([...largeRun({ spans: 3_000, lanes: 40, seed: 2 })]);

/** Looks at every span. */
function plainly(of: Trace, text: string): number[] {
  const holds = (name: string) => name.toLowerCase().includes(text);
  return Array.from({ length: of.spans.length }, (_, span) => span).filter(
    (span) => holds(spanName(of, span)) || holds(spanDetail(of, span)),
  );
}

it('finds spans by a part of their name in any case, and by the events that began or ended them', () => {
  const [tool = -1, ...others] = new NameSearch().find(trace, ' DISTANCE ').ids;
  expect([trace.spans.kindOf(tool), others]).toEqual(['tool', []]);
  expect(new NameSearch().find(trace, '').count).toBe(0);
  for (const seq of [trace.spans.startSeq.at(tool), trace.spans.endSeq.at(tool)]) {
    const events = new EventPick();
    events.add(seq);
    const found = new FoundSpans(trace.spans.length);
    addSpansOf(trace, events, found);
    expect([...found.ids]).toEqual([tool]);
    expect([...lanesOf(trace, found)]).toEqual([1]);
  }
});

it('goes on from what a shorter text found, and finds the same', () => {
  const names = new NameSearch();
  let before = 0;
  for (const [i, text] of ['d', 'di', 'dis', 'distance', 'is', 'ki', 'kid[1', 'kid[13]'].entries()) {
    expect([...names.find(large, text).ids]).toEqual(plainly(large, text));
    const compared = names.compared - before;
    before = names.compared;
    if (i === 0) expect(compared).toBe(large.strings.length);
    else if (text.startsWith('di') || text.startsWith('kid')) expect(compared).toBeLessThan(large.strings.length);
  }
});

it('looks at names that came since', () => {
  const growing = fold(log([0, begin], [0, queued('lead')], [0, started('lead')]));
  const names = new NameSearch();
  expect(names.find(growing, 'ma').count).toBe(0);
  fold(log([0, begin], [0, queued('lead')], [0, started('lead')], [4, toolOn('lead', 1, 'maps')]), growing);
  expect(names.find(growing, 'maps').count).toBe(1);
});

it('adds spans without changing what was found before, and counts each once', () => {
  const named = new NameSearch().find(large, 'distance');
  const more = new FoundSpans(large.spans.length, named);
  const [first = 0] = named.ids;
  for (const span of [first, 0, 0, large.spans.length - 1]) more.add(span);
  expect([...more.ids]).toEqual([...new Set([0, ...named.ids, large.spans.length - 1])].sort((a, b) => a - b));
  expect([named.has(0), more.has(0)]).toEqual([false, true]);
});

it('asks only about events that a shorter text was found in', () => {
  const before = { text: 'Os', seqs: [3, 9] };
  expect(searchedAmong('oslo', before)).toEqual([3, 9]);
  expect(searchedAmong('o', before)).toBeUndefined();
  expect(searchedAmong('oslo', undefined)).toBeUndefined();
  // A number is found only as a whole, so `1` was not found in 12.
  expect(searchedAmong('12', { text: '1', seqs: [] })).toBeUndefined();
  expect(searchedAmong('true', { text: 'tru', seqs: [] })).toBeUndefined();
  expect(searchedAmong('oslo', { text: 'o', seqs: Array.from({ length: 501 }, (_, i) => i) })).toBeUndefined();
});
