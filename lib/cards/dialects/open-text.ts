import { parseJson } from '@/lib/base/json';
import { type CardSource, isCardFile, splitSource } from '@/lib/cards/source';
import { coverComments } from '@/lib/cards/yaml/json-comments';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import { type Path, parseYaml, type YamlSource } from '@/lib/cards/yaml/yaml-source';
import { dialectFormOf } from './find-dialect';
import type { CardFields, DialectContext, DialectField, DialectForm, DialectNote, Written } from './form/dialect';
import { quoted } from './form/quoted';
import { coverLines } from './form/quoted-lines';

/** The text of a card or a YAML file, parsed. */
export interface OpenText {
  readonly source: CardSource;
  /** `undefined` for a file without YAML. In a file of another program its `value` has the fields of a card. */
  readonly yaml: YamlSource | undefined;
}

/** A file of another program, as fields of a card or of the config. */
export interface DialectText extends OpenText {
  readonly yaml: YamlSource;
  readonly written: Written;
  /** False if the text has no fields where the form has some. Such a file is a document. */
  readonly hasFields: boolean;
  /** False if the field that makes the file an agent is not there. Such a file is a document too. */
  readonly isNamed: boolean;
  readonly notes: readonly DialectNote[];
}

/** Parses a card, a YAML file or a file of another program. Returns `undefined` for other files. */
export function openText(path: string, text: string, context?: DialectContext): OpenText | undefined {
  const form = dialectFormOf(path);
  if (form !== undefined) return openDialectText(form, path, text, context);
  if (!isCardFile(path)) return undefined;
  const source = splitSource(path, text);
  return { source, yaml: source.yaml === undefined ? undefined : parseYaml(source.yaml) };
}

const alone: DialectContext = { servers: [] };

export function openDialectText(
  form: DialectForm,
  path: string,
  text: string,
  context: DialectContext = alone,
): DialectText {
  const source = sourceIn(form, path, text);
  const yaml = isJsonForm(form)
    ? jsonOf(source, form.syntax)
    : coverLines(source.yaml?.text ?? '', source.yaml?.offset ?? 0).yaml;
  const written = isMapping(yaml.value) ? yaml.value : {};
  const { fields: own, notes } = readFields(form, written, context);
  const fields: CardFields = { ...form.placed?.(path), ...own };
  const body = instructionIn(source);
  if (form.role === 'card' && body !== '') fields.instruction = body;
  const value = yaml.faults.length === 0 ? fields : undefined;
  const asWritten = (at: Path) => writtenPathOf(form, written, at);
  const isNamed = form.identity === undefined || value === undefined || hasValue(written, form.identity);
  return { source, written, notes, hasFields: source.yaml !== undefined, isNamed, yaml: { ...yaml, value, asWritten } };
}

/** Splits the text of a form: the whole text may be the instruction, or the fields. */
export function sourceIn(form: DialectForm, path: string, text: string): CardSource {
  const source = splitSource(path, text);
  const start = source.bom ? 1 : 0;
  const whole = { text: text.slice(start), offset: start };
  if (form.syntax === 'body') return { ...source, fence: undefined, yaml: undefined, body: whole };
  return isJsonForm(form) ? { ...source, fence: undefined, yaml: whole, body: undefined } : source;
}

/** The mapping of a file, as it is written, whatever its fields become. */
export interface WrittenText {
  readonly written: Written;
  /** Finds places of `written`. */
  readonly yaml: YamlSource;
}

/** Returns the mapping in a card, in a YAML file, in a file of another program or in JSON. `undefined` for other files. */
export function openWritten(path: string, text: string): WrittenText | undefined {
  const form = dialectFormOf(path);
  if (form !== undefined) {
    const { written, yaml } = openDialectText(form, path, text);
    return { written, yaml: { ...yaml, asWritten: (at) => at } };
  }
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  const yaml = path.endsWith('.json')
    ? jsonOf({ yaml: { text: text.slice(bom), offset: bom } }, 'json')
    : openText(path, text)?.yaml;
  return yaml === undefined || !isMapping(yaml.value) ? undefined : { written: yaml.value, yaml };
}

/** Reads the fields of a table from a mapping. */
export function readFields(
  form: DialectForm,
  written: Written,
  context: DialectContext,
): { readonly fields: CardFields; readonly notes: readonly DialectNote[] } {
  const notes: DialectNote[] = [];
  const fields: CardFields = { ...form.always };
  for (const field of form.fields) {
    const value = written[field.name];
    if (value === undefined || value === null) continue;
    field.read?.(value, fields, (note) => notes.push(note), context);
    if (field.use !== 'works') notes.push(noteOf(field, field.use));
  }
  const isAgent = form.identity === undefined || hasValue(written, form.identity);
  const absent = isAgent ? (form.required ?? []).filter((name) => !hasValue(written, name)) : [];
  if (absent.length > 0) notes.push(absentNote(absent));
  const { unknown } = form;
  const known = new Set(form.fields.map(({ name }) => name));
  const odd = unknown === undefined ? [] : Object.keys(written).filter((key) => !known.has(key));
  for (const key of odd) {
    notes.push({
      key: 'unknown',
      use: 'kept',
      path: [key],
      words: [key],
      say: (words) => `${quoted(words)}: ${unknown}`,
    });
  }
  return { fields, notes };
}

function noteOf(field: DialectField, use: DialectNote['use']): DialectNote {
  const what = use === 'kept' ? 'has no effect here' : 'cannot run here';
  const say = () => `'${field.name}' is kept and ${what}: ${field.why}`;
  return { key: field.name, use, path: [field.name], words: [], say };
}

function hasValue(written: Written, name: string): boolean {
  return written[name] !== undefined && written[name] !== null && written[name] !== '';
}

function absentNote(fields: readonly string[]): DialectNote {
  const say = (words: readonly string[]) => `The program of this file does not load an agent without ${quoted(words)}.`;
  return { key: 'required', use: 'kept', path: [], words: fields, say };
}

export function instructionIn(source: CardSource): string {
  return escapeBraces((source.body?.text ?? '').replaceAll('\r\n', '\n').trim());
}

/**
 * Braces have no meaning in the texts of other programs, so those that a card would fill in are escaped. Pairs are taken from the end
 * of a run, so that no pair stays open: `{{{a}}}` becomes `{\{{a}}}`, and not `\{{{a}}}`, which has `{{a}}` in it.
 */
export function escapeBraces(text: string): string {
  return text.replace(/\{{2,}/g, (run) => '{'.repeat(run.length % 2) + '\\{{'.repeat(Math.floor(run.length / 2)));
}

/** The inverse of `instructionIn`, for a text that a person has changed. */
export function bodyOf(instruction: string): string {
  return instruction.trim().replaceAll('\\{{', '{{');
}

function writtenPathOf(form: DialectForm, written: Written, path: Path): Path {
  const [first, ...rest] = path;
  if (first === undefined) return path;
  const givers = form.fields.filter(({ gives }) => gives.includes(String(first)));
  const giver = givers.find(({ name }) => written[name] !== undefined) ?? givers[0];
  if (giver === undefined) return path;
  // A value that is a card's as it is written has the same inner places.
  return giver.inner === undefined ? [giver.name] : [giver.name, ...giver.inner(rest)];
}

export function isJsonForm({ syntax }: DialectForm): boolean {
  return syntax === 'json' || syntax === 'json-with-comments';
}

function jsonOf(source: Pick<CardSource, 'yaml'>, syntax: DialectForm['syntax']): YamlSource {
  const { text: whole, offset } = source.yaml ?? { text: '', offset: 0 };
  const text = syntax === 'json' ? whole : coverComments(whole);
  const yaml = parseYaml({ text: text.trim() === '' ? '{}' : text.replaceAll('\t', ' '), offset });
  const value = text.trim() === '' ? {} : parseJson(text);
  if (value !== undefined) return yaml.faults.length === 0 ? { ...yaml, value } : { ...yaml, value, faults: [] };
  const [fault] = yaml.faults;
  const message = fault?.message ?? 'It is not JSON.';
  return { ...yaml, value: undefined, faults: [{ code: 'yaml-syntax', message, offset: fault?.offset ?? offset }] };
}
