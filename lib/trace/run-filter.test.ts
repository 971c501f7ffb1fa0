import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clausesOf, queryOf, readConditions, unknownParts } from './run-filter';

const now = Date.UTC(2026, 10, 22, 12);

function read(query: string) {
  const clauses = clausesOf(new URLSearchParams(query));
  return clauses.ok ? readConditions(clauses.value, now) : clauses;
}

test('a query is read and written in the same way', () => {
  const query = 'status=failed%2Ccancelled&agent=writer&tool.not=search&duration.gt=5s&text=what+%26+why';
  const clauses = clausesOf(new URLSearchParams(`${query}&after=x&limit=3&agent=`));
  expect(clauses.ok && queryOf(clauses.value)).toBe(query);
  expect(read(query)).toEqual({
    ok: true,
    value: [
      { field: 'status', operator: 'is', values: ['failed', 'cancelled'] },
      { field: 'agent', operator: 'contains', value: 'writer' },
      { field: 'tool', operator: 'not', value: 'search' },
      { field: 'duration', operator: 'gt', value: 5_000 },
      { field: 'text', value: 'what & why' },
    ],
  });
});

test('the person who started a run is compared in lower case, as mail addresses are stored', () => {
  expect(read('by=Ada%40Example.org&by.not=local')).toEqual({
    ok: true,
    value: [
      { field: 'by', operator: 'is', value: 'ada@example.org' },
      { field: 'by', operator: 'not', value: 'local' },
    ],
  });
  expect(read('by.contains=ada')).toEqual({ ok: false, error: 'by.contains: Write by or by.not.' });
});

test.each(['a\tb', ' a', 'a\u00a0', 'a\nb\r\n', '\u2003', '\u0085', 'a&correlation=b'])(
  'the correlation id %j of an imported run is written and read as it is',
  (value) => {
    const query = queryOf([{ field: 'correlation', operator: 'is', value }]);
    expect(read(query)).toEqual({ ok: true, value: [{ field: 'correlation', value }] });
  },
);

test('a correlation id that the database does not take is refused', () => {
  expect(read('correlation=a%00')).toEqual({ ok: false, error: 'correlation: No control characters.' });
});

test.each([
  ['duration.lt=250ms', 250],
  ['waited.gt=1m30s', 90_000],
  ['people.gt=1h', 3_600_000],
  ['duration.gt=2', 2_000],
  ['tokens.gt=1.5M', 1_500_000],
  ['errors.gt=2', 2],
  ['tokens.lt=20k', 20_000],
  ['cost.gt=$0.05', 0.05],
  ['time.after=24h', now - 86_400_000],
  ['time.after=1d12h', now - 129_600_000],
  ['time.before=2026-11-22', Date.UTC(2026, 10, 22)],
  ['time.before=2026-11-22 10:30', Date.UTC(2026, 10, 22, 10, 30)],
  ['time.before=2026-11-22T10:30:00%2B01:00', Date.UTC(2026, 10, 22, 9, 30)],
])('%s is read as a number', (query, value) => {
  expect(read(query)).toMatchObject({ ok: true, value: [{ value }] });
});

test.each([
  [
    'status=done',
    'status: One or several of queued, running, suspended, completed, failed, cancelled, with commas between them.',
  ],
  ['duration=5s', 'duration: Write duration.gt or duration.lt.'],
  ['agent.gt=5', 'agent.gt: Write agent or agent.is or agent.not.'],
  ['duration.gt=soon', 'duration.gt: Write a time such as 500ms, 5s, 1m30s or 2h.'],
  ['cost.gt=-1', 'cost.gt: Write US dollars, such as 0.05.'],
  ['tokens.gt=many', 'tokens.gt: Write a number, such as 500, 20k or 1.5M.'],
  [
    'time.after=yesterday',
    'time.after: Write an age such as 30m, 24h or 7d, or a time such as 2026-11-22 or 2026-11-22T14:00Z.',
  ],
  [
    'time.after=2026-13-45',
    'time.after: Write an age such as 30m, 24h or 7d, or a time such as 2026-11-22 or 2026-11-22T14:00Z.',
  ],
  ['agent=a%00b', 'agent: No control characters.'],
  ['files=%25', 'files: Give the hash of the files, or at least its first 4 characters.'],
  ['score=Quality', 'score: Write any, none, or the name of a score, such as quality.'],
  [
    'score.lt=1.5',
    'score.lt: Write a number from 0 to 1, such as 0.5, or with the name of a score, such as quality:0.5.',
  ],
  [
    'score.min=any:0.5',
    'score.min: Write a number from 0 to 1, such as 0.5, or with the name of a score, such as quality:0.5.',
  ],
  ['score.not=any', 'score.not: Write score or score.lt or score.gt or score.min.'],
  ['revision=0', 'revision: Give the number of a revision.'],
])('%s is refused with a sentence', (query, error) => {
  expect(read(query)).toEqual({ ok: false, error });
});

test('more parts than a filter may have are refused', () => {
  expect(read('tool=a&'.repeat(21))).toEqual({ ok: false, error: 'A filter has at most 20 parts.' });
});

test('a filter compares scores, also scores of one name, and finds runs with any score', () => {
  expect(read('score.lt=0.5&score.min=tone:0.8&score=any&score=none&score=tone')).toEqual({
    ok: true,
    value: [
      { field: 'score', operator: 'lt', name: undefined, value: 0.5 },
      { field: 'score', operator: 'min', name: 'tone', value: 0.8 },
      { field: 'score', operator: 'any', name: undefined },
      { field: 'score', operator: 'none', name: undefined },
      { field: 'score', operator: 'any', name: 'tone' },
    ],
  });
});

test('the parts of an address that are no filter are named', () => {
  expect(unknownParts(['status', 'modle', 'after', 'modle', 'agent.gt', 'tool.not'], ['after'])).toEqual([
    'modle',
    'agent.gt',
  ]);
});

test('any text is read as a score from 0 to 1 or refused with a sentence', () => {
  const part = fc.constantFrom('0', '1', '.', '5', ':', 'any', 'quality', '-', 'e', 'NaN', ' ', '%00');
  const text = fc.oneof(
    fc.string(),
    fc.array(part).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(fc.constantFrom('is', 'lt', 'gt', 'min'), text, (operator, text) => {
      const found = readConditions([{ field: 'score', operator, value: text }] as never, now);
      if (!found.ok) {
        expect(found.error).toMatch(/\.$/);
        return;
      }
      for (const condition of found.value) {
        if ('value' in condition)
          expect(condition.value).toSatisfy((value) => Number(value) >= 0 && Number(value) <= 1);
      }
    }),
  );
});
