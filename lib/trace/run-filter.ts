import { err, ok, type Result } from '@/lib/base/result';
import { isScoreName } from '@/lib/base/score';
import { isCorrelationId, longestCorrelationId } from './run-group';
import { type RunState, runStates } from './run-state';

/*
 * The filter of the list of runs. The address of the page, the HTTP API and saved filters write it the same way:
 *
 *   status=failed,cancelled&agent=writer&tool.not=search&duration.gt=5s
 *   └field └value           └plain operator └field.operator=value
 *
 * `clausesOf` reads the text, `readConditions` checks the values.
 */

/** What a clause compares. The plain operator of a field is its first one; it is not written. */
export const runFields = {
  status: { label: 'Status', operators: ['is', 'not'] },
  agent: { label: 'Agent', operators: ['contains', 'is', 'not'] },
  tool: { label: 'Tool', operators: ['contains', 'is', 'not'] },
  hook: { label: 'Hook', operators: ['contains', 'is', 'not'] },
  model: { label: 'Model', operators: ['contains', 'is', 'not'] },
  text: { label: 'Text', operators: ['contains'] },
  duration: { label: 'Duration', operators: ['gt', 'lt'] },
  cost: { label: 'Cost', operators: ['gt', 'lt'] },
  tokens: { label: 'Tokens', operators: ['gt', 'lt'] },
  errors: { label: 'Errors', operators: ['gt', 'lt'] },
  waited: { label: 'Waited', operators: ['gt', 'lt'] },
  people: { label: 'Waited for people', operators: ['gt', 'lt'] },
  score: { label: 'Score', operators: ['is', 'lt', 'gt', 'min'] },
  time: { label: 'Time', operators: ['after', 'before'] },
  project: { label: 'Project', operators: ['is'] },
  source: { label: 'Source', operators: ['is', 'not'] },
  by: { label: 'Started by', operators: ['is', 'not'] },
  user: { label: 'User', operators: ['is', 'not'] },
  tag: { label: 'Tag', operators: ['is', 'not'] },
  metadata: { label: 'Metadata', operators: ['is', 'not'] },
  trigger: { label: 'Trigger', operators: ['is'] },
  revision: { label: 'Revision', operators: ['is'] },
  files: { label: 'Files', operators: ['is'] },
  correlation: { label: 'Correlation id', operators: ['is'] },
} as const satisfies Readonly<Record<string, { label: string; operators: readonly [RunOperator, ...RunOperator[]] }>>;

/** Fields whose values are names that the server completes. */
export const namedFields = ['agent', 'tool', 'hook', 'model', 'source', 'by', 'user', 'tag'] as const;
export type NamedField = (typeof namedFields)[number];

export type RunField = keyof typeof runFields;
export type RunOperator = 'is' | 'not' | 'contains' | 'gt' | 'lt' | 'min' | 'after' | 'before';

/** One part of a filter as a person writes it. A run must match all parts. */
export interface RunClause {
  readonly field: RunField;
  readonly operator: RunOperator;
  readonly value: string;
}

type NameField = 'agent' | 'tool' | 'hook' | 'model';
type NumberField = 'duration' | 'cost' | 'tokens' | 'errors' | 'waited' | 'people';

/** A clause whose value was read. `duration`, `waited` and `people` are milliseconds, `cost` US dollars, `time` epoch milliseconds. */
export type RunCondition =
  | { readonly field: 'status'; readonly operator: 'is' | 'not'; readonly values: readonly RunState[] }
  | { readonly field: 'source' | 'by' | 'user' | 'tag'; readonly operator: 'is' | 'not'; readonly value: string }
  | { readonly field: 'metadata'; readonly operator: 'is' | 'not'; readonly name: string; readonly value: string }
  | { readonly field: 'project' | 'correlation' | 'files' | 'trigger'; readonly value: string }
  | { readonly field: 'revision'; readonly value: number }
  | { readonly field: NameField; readonly operator: 'contains' | 'is' | 'not'; readonly value: string }
  | { readonly field: 'text'; readonly value: string }
  | { readonly field: NumberField; readonly operator: 'gt' | 'lt'; readonly value: number }
  | { readonly field: 'score'; readonly operator: 'any' | 'none'; readonly name: string | undefined }
  | {
      readonly field: 'score';
      readonly operator: 'lt' | 'gt' | 'min';
      /** The mean of the scores of this name, or of all. */
      readonly name: string | undefined;
      readonly value: number;
    }
  | { readonly field: 'time'; readonly operator: 'after' | 'before'; readonly value: number };

const fieldNames = Object.keys(runFields) as readonly RunField[];
const mostClauses = 20;
const mostChars = longestCorrelationId;

export function isRunField(text: string): text is RunField {
  return Object.hasOwn(runFields, text);
}

export function operatorsOf(field: RunField): readonly RunOperator[] {
  return runFields[field].operators;
}

/** The names of all parts of a filter in an address. A field without its operator is among them: `clausesOf` says which to write. */
export const filterParts: readonly string[] = fieldNames.flatMap((field) => [
  field,
  ...operatorsOf(field).map((operator) => `${field}.${operator}`),
]);

/** Returns the names of an address that are no part of a filter, each once. `others` are names of the page itself. */
export function unknownParts(names: Iterable<string>, others: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => !filterParts.includes(name) && !others.includes(name));
}

/** The operator that an address does not write. Numbers and times always name theirs, because `duration=5s` could mean more or less. */
export function plainOperator(field: RunField): RunOperator | undefined {
  const [first] = operatorsOf(field);
  return first === 'gt' || first === 'after' ? undefined : first;
}

/**
 * Reads the clauses of query parameters, in their order. Parameters that are no field are ignored, because addresses have
 * others. An operator that the field does not have is an error.
 */
export function clausesOf(params: Iterable<readonly [string, string]>): Result<readonly RunClause[], string> {
  const clauses: RunClause[] = [];
  for (const [key, value] of params) {
    const [field = '', written] = key.split('.', 2);
    if (!isRunField(field)) continue;
    const operator = operatorsOf(field).find((each) => each === (written ?? plainOperator(field)));
    if (operator === undefined) return err(`${key}: ${wrongOperator(field)}`);
    clauses.push({ field, operator, value });
  }
  if (clauses.length > mostClauses) return err(`A filter has at most ${mostClauses} parts.`);
  return ok(clauses);
}

function wrongOperator(field: RunField): string {
  const keys = operatorsOf(field).map((operator) => keyOf({ field, operator }));
  return `Write ${keys.join(' or ')}.`;
}

function keyOf({ field, operator }: Pick<RunClause, 'field' | 'operator'>): string {
  return operator === plainOperator(field) ? field : `${field}.${operator}`;
}

/** Writes clauses as query text, without `?`. Clauses without a value are left out. */
export function queryOf(clauses: readonly RunClause[]): string {
  const params = new URLSearchParams();
  for (const clause of clauses) {
    const value = writtenValue(clause);
    if (value !== '') params.append(keyOf(clause), value);
  }
  return params.toString();
}

/** Returns the value without white space around it. Correlation ids are kept, because imported ones may have any text. */
function writtenValue({ field, value }: RunClause): string {
  return field === 'correlation' ? value : value.trim();
}

/** Reads the values. Clauses without a value are left out. An error names the key and says what to write. */
export function readConditions(clauses: readonly RunClause[], now: number): Result<readonly RunCondition[], string> {
  const conditions: RunCondition[] = [];
  for (const clause of clauses) {
    const value = writtenValue(clause);
    if (value === '') continue;
    const read = readCondition({ ...clause, value }, now);
    if (!read.ok) return err(`${keyOf(clause)}: ${read.error}`);
    conditions.push(read.value);
  }
  return ok(conditions);
}

/** Returns a sentence if the value cannot be read. */
export function clauseProblem(clause: RunClause, now: number): string | undefined {
  const read = readCondition({ ...clause, value: writtenValue(clause) }, now);
  return read.ok ? undefined : read.error;
}

function readCondition({ field, operator, value }: RunClause, now: number): Result<RunCondition, string> {
  if (value.length > mostChars) return err(`At most ${mostChars} characters.`);
  const isReadable = field === 'correlation' ? isCorrelationId(value) : !/\p{Cc}/u.test(value);
  if (!isReadable) return err('No control characters.');
  switch (field) {
    case 'status':
      return readStates(operator, value);
    case 'project':
    case 'correlation':
    case 'trigger':
      return ok({ field, value });
    case 'revision':
      return readRevision(value);
    case 'files':
      return fileHash.test(value)
        ? ok({ field, value })
        : err('Give the hash of the files, or at least its first 4 characters.');
    case 'by':
      // Mail addresses are stored in lower case.
      return ok({ field, operator: operator === 'not' ? 'not' : 'is', value: value.toLowerCase() });
    case 'source':
    case 'user':
    case 'tag':
      return ok({ field, operator: operator === 'not' ? 'not' : 'is', value });
    case 'metadata':
      return readMetadata(operator, value);
    case 'agent':
    case 'tool':
    case 'hook':
    case 'model':
      return ok({ field, operator: operator === 'is' || operator === 'not' ? operator : 'contains', value });
    case 'text':
      return ok({ field, value });
    case 'duration':
    case 'waited':
    case 'people':
    case 'cost':
    case 'tokens':
    case 'errors':
      return readNumber(field, operator, value);
    case 'score':
      return readScore(operator, value);
    case 'time': {
      const at = readTime(value, now);
      if (at === undefined)
        return err('Write an age such as 30m, 24h or 7d, or a time such as 2026-11-22 or 2026-11-22T14:00Z.');
      return ok({ field, operator: operator === 'before' ? 'before' : 'after', value: at });
    }
    default:
      return field satisfies never;
  }
}

/** Reads `any`, `none` or a name, or for a comparison `0.5` or `NAME:0.5`. */
function readScore(operator: RunOperator, text: string): Result<RunCondition, string> {
  if (operator !== 'lt' && operator !== 'gt' && operator !== 'min') {
    if (text === 'any' || text === 'none') return ok({ field: 'score', operator: text, name: undefined });
    if (isScoreName(text)) return ok({ field: 'score', operator: 'any', name: text });
    return err('Write any, none, or the name of a score, such as quality.');
  }
  const [, name, digits] = /^(?:([^:]*):)?([\d.]+)$/.exec(text) ?? [];
  const value = /^\d(\.\d{1,9})?$/.test(digits ?? '') ? Number(digits) : Number.NaN;
  if (!(value <= 1) || (name !== undefined && !isScoreName(name))) {
    return err('Write a number from 0 to 1, such as 0.5, or with the name of a score, such as quality:0.5.');
  }
  return ok({ field: 'score', operator, name, value });
}

/** Reads `NAME=VALUE`. */
function readMetadata(operator: RunOperator, text: string): Result<RunCondition, string> {
  const [, name = '', value = ''] = /^([\w.-]{1,64})=(.+)$/su.exec(text) ?? [];
  if (name === '') return err('Write the name and the value, such as tier=gold.');
  return ok({ field: 'metadata', operator: operator === 'not' ? 'not' : 'is', name, value });
}

const fileHash = /^[0-9a-z-]{4,128}$/i;

/** Filters that were saved before revisions had numbers have a hash of files here. */
function readRevision(value: string): Result<RunCondition, string> {
  if (/^[1-9]\d{0,6}$/.test(value)) return ok({ field: 'revision', value: Number(value) });
  if (fileHash.test(value)) return ok({ field: 'files', value });
  return err('Give the number of a revision.');
}

function readStates(operator: RunOperator, value: string): Result<RunCondition, string> {
  const asked = value.split(',').map((each) => each.trim());
  const values = runStates.filter((state) => asked.includes(state));
  if (values.length !== new Set(asked).size)
    return err(`One or several of ${runStates.join(', ')}, with commas between them.`);
  return ok({ field: 'status', operator: operator === 'not' ? 'not' : 'is', values });
}

function readNumber(field: NumberField, operator: RunOperator, text: string): Result<RunCondition, string> {
  const found =
    field === 'cost'
      ? readDollars(text)
      : field === 'tokens' || field === 'errors'
        ? readCount(text)
        : readMilliseconds(text);
  if (found === undefined) return err(numberHints[field]);
  return ok({ field, operator: operator === 'lt' ? 'lt' : 'gt', value: found });
}

const numberHints: Readonly<Record<NumberField, string>> = {
  duration: 'Write a time such as 500ms, 5s, 1m30s or 2h.',
  waited: 'Write a time such as 500ms, 5s, 1m30s or 2h.',
  people: 'Write a time such as 5s, 1m30s or 2h.',
  cost: 'Write US dollars, such as 0.05.',
  tokens: 'Write a number, such as 500, 20k or 1.5M.',
  errors: 'Write a number, such as 0 or 2.',
};

function readDollars(text: string): number | undefined {
  return /^\$?\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text.replace('$', '')) : undefined;
}

function readCount(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,12}(?:\.\d{1,6})?)([km]?)$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return Number(digits) * (unit === '' ? 1 : unit?.toLowerCase() === 'k' ? 1_000 : 1_000_000);
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `1m30s`. A number without a unit is seconds. */
export function readMilliseconds(text: string): number | undefined {
  if (/^\d{1,9}(\.\d{1,3})?$/.test(text)) return Number(text) * 1_000;
  if (!/^(\d{1,9}(\.\d{1,3})?(ms|s|m|h|d))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, digits, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g))
    sum += Number(digits) * (unitMs[unit ?? ''] ?? 0);
  return sum;
}

/** Reads an age before `now`, or a moment. A moment without a time zone is UTC. */
function readTime(text: string, now: number): number | undefined {
  const age = /^\d/.test(text) && /[smhd]$/.test(text) ? readMilliseconds(text) : undefined;
  if (age !== undefined) return now - age;
  if (!/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?)?(Z|[+-]\d\d:?\d\d)?$/.test(text)) return undefined;
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text) && text.length > 11;
  const at = Date.parse(hasZone || text.length === 10 ? text.replace(' ', 'T') : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(at) || Math.abs(at) > 8e15 ? undefined : at;
}

/** Finds fields by the beginning of their key or label. */
export function fieldsLike(text: string): readonly RunField[] {
  const part = text.toLowerCase();
  return fieldNames.filter((field) => field.startsWith(part) || runFields[field].label.toLowerCase().startsWith(part));
}
