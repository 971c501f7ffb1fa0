import type { IssueCode } from '@/lib/cards/issue-codes';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { describeValue } from './describe-value';
import type { FileReport } from './file-report';

/**
 * Readers for one field of a mapping. Each returns the value. For an invalid value it reports an Issue and returns the
 * value for "not given". `null` counts as not given, as in fast-agent.
 */

export interface Mapping {
  readonly report: FileReport;
  readonly value: Readonly<Record<string, unknown>>;
  readonly path: Path;
}

/** Reports null for the few fields in which fast-agent rejects it. */
export function refuseNull(from: Mapping, keys: readonly string[]): void {
  for (const key of keys) {
    if (from.value[key] !== null) continue;
    complain(from, key, `'${key}' has no value. Give it one, or remove the line to get the default.`);
  }
}

export function isGiven(from: Mapping, key: string): boolean {
  return from.value[key] !== undefined && from.value[key] !== null;
}

export function readFlag(from: Mapping, key: string, fallback: boolean): boolean {
  const value = from.value[key] ?? fallback;
  if (typeof value === 'boolean') return value;
  complain(from, key, `'${key}' must be true or false, not ${describeValue(value)}.`);
  return fallback;
}

export function readText(from: Mapping, key: string): string | undefined {
  const value = from.value[key] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.trim() !== '') return value;
  const hint = typeof value === 'string' ? 'Write some text or remove the field.' : 'Put the value in quotes.';
  complain(from, key, `'${key}' must be a non-empty string, not ${describeValue(value)}. ${hint}`);
  return undefined;
}

export function readInteger(from: Mapping, key: string): number | undefined {
  const value = from.value[key] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  complain(from, key, `'${key}' must be an integer, not ${describeValue(value)}. Write a whole number without quotes.`);
  return undefined;
}

export function readNumber(from: Mapping, key: string): number | undefined {
  const value = from.value[key] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  complain(from, key, `'${key}' must be a number, not ${describeValue(value)}. Write it without quotes, as 30 or 1.5.`);
  return undefined;
}

/** Reads a list of non-blank strings. Other entries are reported one by one and ignored. */
export function readTexts(from: Mapping, key: string): string[] {
  const value = from.value[key] ?? undefined;
  if (value === undefined) return [];
  if (Array.isArray(value)) return textEntries(from, value, [key]);
  const hint = typeof value === 'string' ? `Write [${value}].` : 'Write one entry per line, each after a dash.';
  complain(from, key, `'${key}' must be a list of strings, not ${describeValue(value)}. ${hint}`);
  return [];
}

export function textEntries(from: Mapping, list: readonly unknown[], path: Path): string[] {
  return list.flatMap((entry: unknown, index) => {
    if (typeof entry === 'string' && entry.trim() !== '') return [entry];
    const text = `Entries of '${path.join('.')}' must be non-empty strings, not ${describeValue(entry)}. Put it in quotes.`;
    from.report.report(from.report.wrongType, [...from.path, ...path, index], text);
    return [];
  });
}

export function readMapping(from: Mapping, key: string): Mapping | undefined {
  const value = from.value[key] ?? undefined;
  if (value === undefined) return undefined;
  if (isMapping(value)) return { report: from.report, value, path: [...from.path, key] };
  complain(from, key, `'${key}' must be a mapping, not ${describeValue(value)}. Write key: value lines below it.`);
  return undefined;
}

/** Reads a mapping of strings to strings. */
export function readTextMap(from: Mapping, key: string): Record<string, string> {
  const mapping = readMapping(from, key);
  const result: [string, string][] = [];
  for (const [name, value] of Object.entries(mapping?.value ?? {})) {
    if (typeof value === 'string') result.push([name, value]);
    else {
      const text = `'${key}.${name}' must be a string, not ${describeValue(value)}. Put the value in quotes.`;
      from.report.report(from.report.wrongType, [...from.path, key, name], text);
    }
  }
  return Object.fromEntries(result);
}

/** Reads one of the allowed words. */
export function readWord<T extends string>(
  from: Mapping,
  key: string,
  words: readonly T[],
  code: IssueCode = 'bad-value',
): T | undefined {
  const value = readText(from, key);
  if (value === undefined) return undefined;
  const word = words.find((candidate) => candidate === value);
  if (word === undefined) {
    from.report.report(code, [...from.path, key], `'${value}' is not a value of '${key}'. Use ${listed(words)}.`);
  }
  return word;
}

export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function complain(from: Mapping, key: string, message: string): void {
  from.report.report(from.report.wrongType, [...from.path, key], message);
}
