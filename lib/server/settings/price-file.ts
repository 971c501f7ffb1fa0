import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isRecord, parseJson } from '@/lib/base/json';
import { nodeAt, parseYaml } from '@/lib/cards/yaml/yaml-source';
import type { OwnPrice } from '@/lib/trace/own-prices';
import { appFolder } from './app-folder';
import { readPriceList } from './price-variable';

/** Every page carries the prices. */
const maxBytes = 128 * 1024;
const required = ['input', 'output'] as const;
const optional = ['cached_input', 'cache_write'] as const;
const known: readonly string[] = [...required, ...optional];

export interface PriceFile {
  readonly prices: readonly OwnPrice[];
  /** What is wrong with the file, for people: the place, the fault and what to write. */
  readonly problems: readonly string[];
}

/**
 * Reads the operator's prices: from the list that the launcher has sent, or from the file that CALLBOARD_PRICES names, which is
 * relative to the folder of `.env`. It is YAML or JSON: model → `input`, `cached_input`, `cache_write` and `output` in US dollars per
 * million tokens. Source of the format: docs/models.md.
 */
export function readPrices(variables: Readonly<Record<string, string | undefined>>): PriceFile {
  const { CALLBOARD_PRICE_LIST: sent, CALLBOARD_PRICES: name } = variables;
  if (sent !== undefined && sent !== '') return { prices: readPriceList(sent), problems: [] };
  if (name === undefined || name === '') return { prices: [], problems: [] };
  const file = path.resolve(appFolder, name);
  const fault = (problem: string): PriceFile => ({ prices: [], problems: [`CALLBOARD_PRICES: ${problem}`] });
  let text: string;
  try {
    if (statSync(file).size > maxBytes) {
      const next = "Use patterns, such as 'gpt-*', in place of lines for single models.";
      return fault(`${file} is larger than 128 KiB. ${next}`);
    }
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = isRecord(error) && typeof error.code === 'string' ? error.code : String(error);
    return fault(`${file} cannot be read (${code}). Correct the path, or remove the setting.`);
  }
  const { prices, problems } = pricesIn(text);
  return { prices, problems: problems.map((problem) => `CALLBOARD_PRICES: ${file}, ${problem}`) };
}

/** Reads the text of a price file. A problem begins with its line. */
export function pricesIn(text: string): PriceFile {
  const yaml = parseYaml({ text, offset: 0 });
  const lineAt = (offset: number) => `line ${text.slice(0, offset).split('\n').length}`;
  const fault = yaml.faults[0];
  if (fault !== undefined) return { prices: [], problems: [`${lineAt(fault.offset)}: ${fault.message}`] };
  // YAML reads a few numbers of JSON as text, such as 1e-7.
  const value = parseJson(text) ?? yaml.value ?? {};
  const shape = 'Write one model per line, such as `my-model: { input: 0.5, output: 2 }`.';
  if (!isRecord(value)) return { prices: [], problems: [`line 1: This is no list of prices. ${shape}`] };
  const lineOf = (...steps: readonly string[]) => lineAt(nodeAt(yaml, steps)?.range?.[0] ?? 0);
  const problems = yaml.repeated.map(({ key, offset }) => `${lineAt(offset)}: '${key}' is there twice. Remove one.`);
  const prices: OwnPrice[] = [];
  for (const [pattern, given] of Object.entries(value)) {
    if (!isRecord(given)) {
      problems.push(`${lineOf(pattern)}: '${pattern}' has no prices. ${shape}`);
      continue;
    }
    const found = Object.keys(given).flatMap((name) =>
      problemOf(given, name).map((what) => `${lineOf(pattern, name)}: '${name}' of '${pattern}' ${what}`),
    );
    const missing = required.filter((name) => given[name] === undefined);
    if (missing.length > 0)
      found.push(`${lineOf(pattern)}: '${pattern}' has no '${missing.join("' and no '")}'. ${shape}`);
    problems.push(...found);
    if (found.length === 0) prices.push({ pattern: pattern.trim(), price: priceIn(given) });
  }
  return { prices: problems.length === 0 ? prices : [], problems };
}

function problemOf(given: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  if (!known.includes(name)) return [`is not known. Write ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`];
  return isUsd(given[name]) ? [] : ['must be a number of 0 or more, in US dollars per million tokens.'];
}

function priceIn(given: Readonly<Record<string, unknown>>): OwnPrice['price'] {
  const { input, output, cached_input: cached, cache_write: written } = given;
  return {
    input: isUsd(input) ? input : 0,
    output: isUsd(output) ? output : 0,
    ...(isUsd(cached) && { cached_input: cached }),
    ...(isUsd(written) && { cache_write: written }),
  };
}

function isUsd(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
