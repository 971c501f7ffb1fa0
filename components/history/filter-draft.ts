import { statusWord } from '@/components/ui/status';
import {
  clauseProblem,
  fieldsLike,
  operatorsOf,
  type RunClause,
  type RunField,
  type RunOperator,
  runFields,
} from '@/lib/trace/run-filter';
import { runStates } from '@/lib/trace/run-state';
import { readTyped } from '@/lib/trace/typed-filter';

/*
 * A part of a filter while it is written: first its field, then its operator, then its value.
 *
 *   ""  ──Duration──▶  Duration  ──more than──▶  Duration more than  ──5s──▶  a clause
 *
 * A field with one operator skips the second step. Backspace in an empty input goes one step back.
 */

export interface Draft {
  readonly field?: RunField | undefined;
  readonly operator?: RunOperator | undefined;
  /** What is typed in this step. */
  readonly text: string;
}

export const emptyDraft: Draft = { text: '' };

export type Step = 'field' | 'operator' | 'value';

export function stepOf({ field, operator }: Draft): Step {
  if (field === undefined) return 'field';
  return operator === undefined ? 'operator' : 'value';
}

export type Suggestion =
  | { readonly kind: 'field'; readonly field: RunField; readonly label: string }
  | { readonly kind: 'operator'; readonly operator: RunOperator; readonly label: string }
  | { readonly kind: 'clause'; readonly clause: RunClause; readonly label: string; readonly note?: string | undefined };

/** A value that the server found, with the text that is shown for it. */
export interface FoundValue {
  readonly value: string;
  readonly label: string;
}

export const operatorWords: Readonly<Record<RunOperator, string>> = {
  is: 'is',
  not: 'is not',
  contains: 'contains',
  gt: 'more than',
  lt: 'less than',
  min: 'at least',
  after: 'after',
  before: 'before',
};

const presets: Partial<Readonly<Record<RunField, readonly string[]>>> = {
  duration: ['1s', '10s', '1m', '10m', '1h'],
  waited: ['100ms', '1s', '10s', '1m'],
  people: ['10s', '1m', '10m', '1h', '1d'],
  cost: ['0.01', '0.10', '1', '10'],
  score: ['0.5', '0.8', '1', 'any', 'none'],
  tokens: ['1k', '10k', '100k', '1M'],
  errors: ['0', '1', '5', '20'],
  time: ['1h', '24h', '7d', '30d'],
};

/** Returns what may come next. `found` are values of the server for a draft at its last step. */
export function suggestionsFor(draft: Draft, found: readonly FoundValue[], now: number): readonly Suggestion[] {
  const text = draft.text.trim();
  const { field, operator } = draft;
  if (field === undefined)
    return text === '' ? fieldSuggestions('') : [...fieldSuggestions(text), ...typedSuggestion(text, now)];
  if (operator === undefined) {
    return operatorsOf(field)
      .filter((each) => operatorWords[each].startsWith(text.toLowerCase()))
      .map((each) => ({ kind: 'operator', operator: each, label: operatorWords[each] }));
  }
  const clause = (value: string): RunClause => ({ field, operator, value });
  const listed = valuesOf(draft, found).map(
    ({ value, label }): Suggestion => ({ kind: 'clause', clause: clause(value), label }),
  );
  const isListed = listed.some((each) => each.kind === 'clause' && each.clause.value === text);
  const isFree = text !== '' && field !== 'project' && !isListed && clauseProblem(clause(text), now) === undefined;
  return isFree ? [{ kind: 'clause', clause: clause(text), label: text, note: 'as typed' }, ...listed] : listed;
}

function fieldSuggestions(text: string): readonly Suggestion[] {
  return fieldsLike(text).map((field) => ({ kind: 'field', field, label: runFields[field].label }));
}

function typedSuggestion(typed: string, now: number): readonly Suggestion[] {
  const read = readTyped(typed, now);
  if (read.kind === 'problem') return [];
  if (read.kind === 'text') {
    const clause: RunClause = { field: 'text', operator: 'contains', value: read.text };
    return [{ kind: 'clause', clause, label: `“${read.text}”`, note: 'in messages and results' }];
  }
  const { clause } = read;
  const label = `${runFields[clause.field].label} ${operatorWords[clause.operator]} ${valueWord(clause)}`;
  return [{ kind: 'clause', clause, label }];
}

function valuesOf({ field, operator, text }: Draft, found: readonly FoundValue[]): readonly FoundValue[] {
  if (field === 'status') {
    const states = runStates.map((state) => ({ value: state, label: statusWord(state) }));
    return states.filter(({ label }) => label.toLowerCase().startsWith(text.trim().toLowerCase()));
  }
  if (field === undefined || found.length > 0) return found;
  const before = field === 'time' ? ' ago' : '';
  const isWord = (value: string) => field === 'score' && /^[a-z]/.test(value);
  const known = (presets[field] ?? []).filter(
    (value) => value.startsWith(text.trim()) && isWord(value) === (field === 'score' && operator === 'is'),
  );
  return operator === undefined ? [] : known.map((value) => ({ value, label: `${value}${before}` }));
}

/** Returns the sentence for a typed value, or a typed part, that cannot be read. */
export function draftProblem({ field, operator, text }: Draft, now: number): string | undefined {
  if (field === undefined) {
    const read = readTyped(text, now);
    return read.kind === 'problem' ? read.sentence : undefined;
  }
  if (operator === undefined || text.trim() === '' || field === 'status') return undefined;
  return clauseProblem({ field, operator, value: text }, now);
}

/** Takes a suggestion: the next step, or the whole clause. */
export function takeSuggestion(
  draft: Draft,
  suggestion: Suggestion,
): { readonly draft: Draft; readonly clause?: RunClause } {
  switch (suggestion.kind) {
    case 'field': {
      const { field } = suggestion;
      const operators = operatorsOf(field);
      return { draft: { field, operator: operators.length === 1 ? operators[0] : undefined, text: '' } };
    }
    case 'operator':
      return { draft: { field: draft.field, operator: suggestion.operator, text: '' } };
    case 'clause':
      return { draft: emptyDraft, clause: suggestion.clause };
    default:
      return suggestion satisfies never;
  }
}

/** Goes one step back. Returns `undefined` at the first step. */
export function stepBack({ field, operator }: Draft): Draft | undefined {
  if (field === undefined) return undefined;
  return operator !== undefined && operatorsOf(field).length > 1 ? { field, text: '' } : emptyDraft;
}

/** Returns the value of a clause as it is shown, without names that only the server knows. */
export function valueWord({ field, value }: RunClause): string {
  if (field === 'status') {
    const known = runStates.filter((state) => value.split(',').includes(state));
    return known.map((state) => statusWord(state)).join(' or ') || value;
  }
  if (field === 'time' && /^\d+(\.\d+)?(s|m|h|d)$/.test(value)) return `${value} ago`;
  if (field === 'time') return value.replace('T', ' ').replace(/(:\d\d)(\.\d+)?Z$/, '$1 UTC');
  return field === 'cost' && !value.startsWith('$') ? `$${value}` : value;
}
