import type { ScalarTag } from 'yaml';
import '@/lib/base/exact-json';
import { isRecord } from '@/lib/base/json';

/**
 * Reads plain scalars as PyYAML's `safe_load` does: YAML 1.1, except that `y`, `n`, `08` and floats without a dot (`1e3`)
 * are strings. The 1.1 schema of the `yaml` package differs in each of these.
 */

/** A timestamp. It is not a string, because `name: 2026-01-02` is an error where a string is required. */
export class YamlDate {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** True for a mapping of plain YAML. False for a date, which is an object too. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !(value instanceof YamlDate);
}

const truthy = /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const falsy = /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const integer =
  /^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/;
const float =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const timestamp =
  /^(?:\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)$/;

export const pyyamlTags: ScalarTag[] = [
  { tag: 'tag:yaml.org,2002:null', default: true, test: /^(?:~|null|Null|NULL)?$/, resolve: () => null },
  { tag: 'tag:yaml.org,2002:bool', default: true, test: truthy, resolve: () => true },
  { tag: 'tag:yaml.org,2002:bool', default: true, test: falsy, resolve: () => false },
  { tag: 'tag:yaml.org,2002:int', default: true, test: integer, resolve: readInteger },
  { tag: 'tag:yaml.org,2002:float', default: true, test: float, resolve: readFloat },
  { tag: 'tag:yaml.org,2002:float', default: false, resolve: readFloat },
  {
    tag: 'tag:yaml.org,2002:timestamp',
    default: true,
    test: timestamp,
    resolve: (text, onError) => {
      if (!isCalendarDate(text)) onError(`'${text}' looks like a date but no such day exists. Put it in quotes.`);
      return new YamlDate(text);
    },
  },
  // These are valid as keys. PyYAML cannot construct them as values, which is reported when values are built.
  { tag: 'tag:yaml.org,2002:value', default: true, test: /^(?:=|<<)$/, resolve: (text) => text },
  { tag: 'tag:yaml.org,2002:str', default: false, resolve: (text) => text },
];

/** True when the text needs no quotes: written plain, it is read as the same string. */
export function isPlainString(text: string): boolean {
  return !pyyamlTags.some((tag) => tag.default === true && tag.test?.test(text));
}

/** Returns a `bigint` for an integer that no double holds, unless it is beyond the range of doubles. */
function readInteger(source: string): number | bigint {
  const value = nearestInteger(source);
  if (Number.isSafeInteger(value) || !Number.isFinite(value) || source.includes(':')) return value;
  const [, sign = '', prefix = '', digits = ''] = /^([-+]?)(0[bx]|0(?=.))?(.*)$/.exec(source.replaceAll('_', '')) ?? [];
  const size = BigInt((prefix === '0' ? '0o' : prefix) + digits);
  const exact = sign === '-' ? -size : size;
  return BigInt(value) === exact ? value : exact;
}

function nearestInteger(source: string): number {
  const text = source.replaceAll('_', '');
  const sign = text.startsWith('-') ? -1 : 1;
  const digits = text.replace(/^[-+]/, '');
  if (digits.startsWith('0b')) return sign * Number.parseInt(digits.slice(2), 2);
  if (digits.startsWith('0x')) return sign * Number.parseInt(digits.slice(2), 16);
  if (digits.includes(':')) return sign * sexagesimal(digits);
  if (digits.length > 1 && digits.startsWith('0')) return sign * Number.parseInt(digits, 8);
  return sign * Number.parseInt(digits, 10);
}

function readFloat(source: string): number {
  const text = source.replaceAll('_', '').toLowerCase();
  const sign = text.startsWith('-') ? -1 : 1;
  const digits = text.replace(/^[-+]/, '');
  if (digits === '.inf') return sign * Number.POSITIVE_INFINITY;
  if (digits === '.nan') return Number.NaN;
  return sign * (digits.includes(':') ? sexagesimal(digits) : Number.parseFloat(digits));
}

function sexagesimal(digits: string): number {
  return digits.split(':').reduce((total, part) => total * 60 + Number(part), 0);
}

function isCalendarDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d?)-(\d\d?)/.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}
