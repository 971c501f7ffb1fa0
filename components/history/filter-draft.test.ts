import { expect, test } from 'vitest';
import {
  type Draft,
  draftProblem,
  emptyDraft,
  stepBack,
  suggestionsFor,
  takeSuggestion,
  valueWord,
} from './filter-draft';

const now = Date.UTC(2026, 10, 22);
const labels = (draft: Draft, found: readonly { value: string; label: string }[] = []) =>
  suggestionsFor(draft, found, now).map(({ label }) => label);

/** Types the beginning of each step, and takes the first suggestion. */
function written(...texts: readonly string[]) {
  let draft: Draft = emptyDraft;
  for (const text of texts) {
    const [first] = suggestionsFor({ ...draft, text }, [], now);
    if (first === undefined) return undefined;
    const taken = takeSuggestion(draft, first);
    if (taken.clause !== undefined) return taken.clause;
    draft = taken.draft;
  }
  return draft;
}

test('a clause is written field, operator, value, by the beginnings of the words', () => {
  expect(written('dur', 'more', '5s')).toEqual({ field: 'duration', operator: 'gt', value: '5s' });
  expect(written('sta', 'is n', 'comp')).toEqual({ field: 'status', operator: 'not', value: 'completed' });
  expect(written('cor', 'monday')).toEqual({ field: 'correlation', operator: 'is', value: 'monday' });
  expect(written('sco', 'at', 'tone:0.8')).toEqual({ field: 'score', operator: 'min', value: 'tone:0.8' });
  expect(written('sco', 'is', 'any')).toEqual({ field: 'score', operator: 'is', value: 'any' });
  expect(written('score:tone<0.5')).toEqual({ field: 'score', operator: 'lt', value: 'tone:0.5' });
  expect(written('failed>2')).toEqual({ field: 'errors', operator: 'gt', value: '2' });
  expect(written('what is new')).toEqual({ field: 'text', operator: 'contains', value: 'what is new' });
});

test('values are suggested: found ones after what is typed, and presets of numbers', () => {
  const tool: Draft = { field: 'tool', operator: 'contains', text: 'sea' };
  expect(labels(tool, [{ value: 'search', label: 'search' }])).toEqual(['sea', 'search']);
  expect(labels({ field: 'time', operator: 'after', text: '' })).toEqual(['1h ago', '24h ago', '7d ago', '30d ago']);
  expect(labels({ field: 'project', operator: 'is', text: 'x' })).toEqual([]);
});

test('a value that cannot be read is not suggested, and the reason is told', () => {
  const draft: Draft = { field: 'duration', operator: 'gt', text: 'soon' };
  expect(labels(draft)).toEqual([]);
  expect(draftProblem(draft, now)).toBe('Write a time such as 500ms, 5s, 1m30s or 2h.');
  expect(draftProblem({ ...draft, text: '5' }, now)).toBeUndefined();
  expect(labels({ text: 'status:done' })).toEqual([]);
  expect(draftProblem({ text: 'modle=x' }, now)).toMatch('Did you mean “model”?');
});

test('a step back leads to the operator, to the field, and out', () => {
  const operator = stepBack({ field: 'duration', operator: 'gt', text: '' });
  expect(operator).toEqual({ field: 'duration', text: '' });
  expect(operator && stepBack(operator)).toEqual(emptyDraft);
  expect(stepBack({ field: 'text', operator: 'contains', text: '' })).toEqual(emptyDraft);
  expect(stepBack(emptyDraft)).toBeUndefined();
});

test('values are shown in words', () => {
  expect(valueWord({ field: 'status', operator: 'is', value: 'failed,cancelled' })).toBe('Failed or Stopped');
  expect(valueWord({ field: 'time', operator: 'after', value: '24h' })).toBe('24h ago');
  expect(valueWord({ field: 'time', operator: 'after', value: '2026-11-22T10:00:00.000Z' })).toBe(
    '2026-11-22 10:00:00 UTC',
  );
  expect(valueWord({ field: 'cost', operator: 'gt', value: '0.5' })).toBe('$0.5');
});
