import { type FieldTree, fieldAt } from './code-fields';
import { type CodePlace, codePlaceAt } from './code-place';
import { type CodeProject, namesOfKind, treeOfFile } from './code-project';

export interface CodeCompletion {
  readonly label: string;
  /** Chooses the icon. */
  readonly kind: 'field' | 'name' | 'value' | 'hook';
  readonly detail: string;
  readonly text: string;
  /** The text that replaces the range. */
  readonly insert: string;
}

export interface CodeCompletions {
  /** The range that a completion replaces. */
  readonly from: number;
  readonly to: number;
  readonly options: readonly CodeCompletion[];
}

/**
 * Returns what may stand at an offset of front matter, of callboard.yaml or of the config: fields that are not there yet, or
 * the names and values that the field takes. Returns `undefined` where nothing is known. The text may be half typed.
 */
export function completionsAt(
  project: CodeProject,
  file: string,
  text: string,
  offset: number,
): CodeCompletions | undefined {
  const place = codePlaceAt(text, file, offset);
  const tree = place && treeOfFile(project, file, text);
  if (place === undefined || tree === undefined) return undefined;
  const node = fieldAt(tree, place.path);
  if (node === undefined) return undefined;
  const options =
    place.at === 'key' ? keyOptions(project, file, place, node) : valueOptions(project, file, place, node);
  return options.length === 0 ? undefined : { from: place.from, to: place.to, options };
}

function keyOptions(project: CodeProject, file: string, place: CodePlace, node: FieldTree): CodeCompletion[] {
  const fields = Object.entries(node.fields ?? {}).map(([key, field]) => ({
    label: key,
    kind: 'field' as const,
    detail: valueWord(field),
    text: field.text,
    insert: keyText(key, field, place),
  }));
  const names = (node.keys === undefined ? [] : namesOfKind(project, node.keys, file)).map(
    ({ name, detail, text }) => ({
      label: name,
      kind: 'name' as const,
      detail,
      text,
      insert: place.isKey ? quoted(name) : `${quoted(name)}: `,
    }),
  );
  return [...fields, ...names].filter(({ label }) => !place.siblings.has(label));
}

function valueOptions(project: CodeProject, file: string, place: CodePlace, node: FieldTree): CodeCompletion[] {
  if (place.at === 'value' && node.list && place.word === '' && node.of === undefined) return [];
  const server = place.path.findLast((step) => step !== '-');
  const names = (node.of === undefined ? [] : namesOfKind(project, node.of, file, server)).filter(
    ({ name }) => !place.siblings.has(name),
  );
  // A list that is begun on the line of its key is written in brackets.
  const inList = (insert: string) => (place.at === 'value' && node.list ? `[${insert}]` : insert);
  const options = (node.options ?? []).filter((one) => !place.siblings.has(one));
  const keys = place.at === 'item' ? Object.entries(node.fields ?? {}) : [];
  return [
    ...names.map(({ name, detail, text }) => ({
      label: name,
      kind: 'name' as const,
      detail,
      text,
      insert: inList(node.of === 'boolean' ? name : quoted(name)),
    })),
    ...options.map((one) => ({ label: one, kind: 'value' as const, detail: '', text: '', insert: inList(one) })),
    ...keys.map(([key, field]) => ({
      label: key,
      kind: 'hook' as const,
      detail: 'without code',
      text: field.text,
      insert: `${key}: `,
    })),
  ];
}

/** A key of a mapping or list goes on below, every other one on its line. */
function keyText(key: string, field: FieldTree, place: CodePlace): string {
  if (place.isKey) return key;
  return `${key}:${field.list || field.fields || field.each || field.keys ? '' : ' '}`;
}

function valueWord(field: FieldTree): string {
  if (field.options !== undefined) return field.options.join(' | ');
  if (field.list) return field.of === undefined ? 'list' : `list of ${plural(field.of)}`;
  if (field.of !== undefined) return field.of === 'boolean' ? 'true | false' : field.of;
  return field.fields || field.each ? 'mapping' : '';
}

function plural(of: string): string {
  return of === 'middleware' ? 'hooks' : `${of}s`;
}

/** Puts a name in quotes where YAML would read something else. */
function quoted(name: string): string {
  const isPlain =
    /^[A-Za-z_./$][\w./$@+-]*(?::[\w./$-]+)*$/.test(name) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(name);
  return isPlain ? name : JSON.stringify(name);
}
