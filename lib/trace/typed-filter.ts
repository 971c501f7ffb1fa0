import { nearName } from '@/lib/base/near-name';
import {
  clauseProblem,
  isRunField,
  operatorsOf,
  plainOperator,
  type RunClause,
  type RunField,
  type RunOperator,
  runFields,
} from './run-filter';

/*
 * A part of a filter as people type it:
 *
 *   status:failed   model=gpt-5   errors>2   tool!=search   score:quality<0.5   metadata.tier=gold   agent:"two words"
 *   └field└sign└value
 *
 * `:` and `=` are the operator that an address does not write. Text in quotes, and text without a sign, is searched in the runs.
 */

/** What a typed text means: a part of a filter, a text to search, or nothing that can be understood. */
export type Typed =
  | { readonly kind: 'clause'; readonly clause: RunClause }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'problem'; readonly sentence: string };

type Sign = '!=' | '>=' | '<=' | '<' | '>' | '=' | ':';

/** Names that people know from elsewhere. */
const otherNames: Readonly<Record<string, RunField>> = { failed: 'errors', error: 'errors', started: 'time' };

const part = /^(?<name>[a-z]+)\s*(?<sign>!=|>=|<=|[<>=:])(?<value>.*)$/isu;
const namedEntry = /^metadata\.(?<name>[\w.-]{1,64})\s*(?<sign>!=|[=:])(?<value>.*)$/isu;
const namedScore = /^(?<name>[^\s<>="]+)\s*(?<sign>>=|[<>])(?<value>.*)$/su;

/** Reads a typed text. `now` is in epoch milliseconds. A sentence says what is not understood, and what to write. */
export function readTyped(typed: string, now: number): Typed {
  const text = typed.trim();
  const quoted = inQuotes(text);
  if (quoted !== undefined) return { kind: 'text', text: quoted };
  const entry = namedEntry.exec(text)?.groups;
  if (entry !== undefined) return entryOf(entry.name ?? '', signOf(entry.sign), entry.value ?? '', now);
  const found = part.exec(text)?.groups;
  if (found === undefined) return { kind: 'text', text };
  const { name = '', value = '' } = found;
  const sign = signOf(found.sign);
  const field = fieldNamed(name.toLowerCase());
  if (field === undefined) return isProse(sign, value) ? { kind: 'text', text } : noField(name);
  // `Error: connect …` is copied from a run. No such field is compared by a colon.
  if (sign === ':' && /^\s/.test(value) && operatorFor(field, sign) === undefined) return { kind: 'text', text };
  if (field === 'score' && sign === ':') {
    const score = namedScore.exec(value.trim())?.groups;
    if (score !== undefined)
      return clauseOf(field, signOf(score.sign), `${score.name}:${(score.value ?? '').trim()}`, now);
  }
  return clauseOf(field, sign, inQuotes(value.trim()) ?? value.trim(), now);
}

function entryOf(name: string, sign: Sign, typed: string, now: number): Typed {
  const value = inQuotes(typed.trim()) ?? typed.trim();
  return clauseOf('metadata', sign, value === '' ? '' : `${name}=${value}`, now);
}

function signOf(text: string | undefined): Sign {
  return signs.find((sign) => sign === text) ?? ':';
}

const signs: readonly Sign[] = ['!=', '>=', '<=', '<', '>', '=', ':'];

function fieldNamed(name: string): RunField | undefined {
  if (isRunField(name)) return name;
  return Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
}

/** A colon before a space or `//` belongs to a sentence or an address. */
function isProse(sign: Sign, value: string): boolean {
  return sign === ':' && (/^\s/.test(value) || value.startsWith('//') || value === '');
}

function noField(name: string): Typed {
  const near = nearName(name.toLowerCase(), [...Object.keys(runFields), ...Object.keys(otherNames)]);
  const hint = near === undefined ? '' : ` Did you mean “${near}”?`;
  return {
    kind: 'problem',
    sentence: `Runs have no field “${name}”.${hint} Put the text in quotes to search for it.`,
  };
}

function clauseOf(field: RunField, sign: Sign, value: string, now: number): Typed {
  const operator = operatorFor(field, sign);
  if (operator === undefined) {
    const known = signs.filter((each) => operatorFor(field, each) !== undefined);
    return { kind: 'problem', sentence: `Write ${known.map((each) => `${field}${each}`).join(' or ')} and a value.` };
  }
  const clause = { field, operator, value };
  const problem = value === '' ? `Write a value after “${sign}”.` : clauseProblem(clause, now);
  return problem === undefined ? { kind: 'clause', clause } : { kind: 'problem', sentence: problem };
}

function operatorFor(field: RunField, sign: Sign): RunOperator | undefined {
  const wanted = sign === '=' || sign === ':' ? [plainOperator(field)] : operatorsOfSign[sign];
  return operatorsOf(field).find((operator) => wanted.includes(operator));
}

const operatorsOfSign: Readonly<Record<Exclude<Sign, '=' | ':'>, readonly RunOperator[]>> = {
  '!=': ['not'],
  '>=': ['min'],
  '<=': [],
  '>': ['gt', 'after'],
  '<': ['lt', 'before'],
};

function inQuotes(text: string): string | undefined {
  return text.length > 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : undefined;
}
