import { definitionLine } from '@/lib/cards/edit/new-function';
import type { FieldWords } from '@/lib/cards/read/field-words';
import { locateField, locateKey } from '@/lib/cards/read/locate';
import { joinPath, splitCodeSpec } from '@/lib/cards/references';
import { fieldAt } from './code-fields';
import { codePlaceAt } from './code-place';
import { type CodeProject, namesOfKind, treeOfFile } from './code-project';

/** Words about the field or name at a place, for a tooltip. */
export interface CodeHelp {
  readonly from: number;
  readonly to: number;
  readonly title: string;
  readonly text: string;
  /** The allowed values, if there are few. */
  readonly options: readonly string[];
}

/** A place in a file that a name stands for. Counts from 1. */
export interface CodeTarget {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Returns words about the field or the name under an offset of front matter or a YAML file. */
export function helpAt(project: CodeProject, file: string, text: string, offset: number): CodeHelp | undefined {
  const place = codePlaceAt(text, file, offset);
  const tree = place && treeOfFile(project, file, text);
  if (place === undefined || tree === undefined || place.word === '') return undefined;
  const { word, from, to } = place;
  const around = fieldAt(tree, place.path);
  const field = place.isKey ? fieldAt(tree, [...place.path, word]) : around;
  if (field === undefined) return undefined;
  const kind = place.isKey ? around?.keys : field.of;
  const server = place.path.findLast((step) => step !== '-');
  const known =
    kind === undefined || kind === 'boolean'
      ? undefined
      : namesOfKind(project, kind, file, server).find(({ name }) => name === word);
  if (known !== undefined) return { from, to, title: `${word} · ${known.detail}`, text: known.text, options: [] };
  if (!place.isKey || field.text === '') return undefined;
  return { from, to, title: word, text: field.text, options: optionsOf(field) };
}

function optionsOf({ options, of }: FieldWords): readonly string[] {
  return options ?? (of === 'boolean' ? ['true', 'false'] : []);
}

const include = /\{\{(?:file|file_silent):([^}]*)\}\}/g;

/**
 * Returns where the thing under an offset is defined: the card of an agent, the entry of a server, the line of a function, a
 * file that is named. It looks at the word alone, so that it works in every YAML file and in instructions.
 */
export function definitionAt(project: CodeProject, file: string, text: string, offset: number): CodeTarget | undefined {
  const included = [...text.matchAll(include)].find(
    ({ 0: whole, index }) => offset >= index && offset <= index + whole.length,
  );
  if (included !== undefined) return fileTarget(project, file, included[1] ?? '');
  const place = codePlaceAt(text, file, offset);
  if (place === undefined || place.word === '') return undefined;
  const tree = treeOfFile(project, file, text);
  const around = tree && fieldAt(tree, place.path);
  const kind = place.isKey ? around?.keys : around?.of;
  const { word } = place;
  const as = {
    agent: () => agentTarget(project, word.replace(/^agent(?:__|:)/, '')),
    server: () => serverTarget(project, word.replace(/^server:/, '').replace(/__.*$/, '')),
    code: () => codeTarget(project, file, word),
    file: () => fileTarget(project, file, word),
  };
  const first = kind === 'agent' || kind === 'server' ? as[kind]() : undefined;
  return first ?? as.code() ?? as.agent() ?? as.server() ?? as.file();
}

function agentTarget({ drawn, folder }: CodeProject, name: string): CodeTarget | undefined {
  const card = drawn.cards.find((one) => one.name === name);
  if (card === undefined) return undefined;
  const at = locateField(folder, card.file, ['name']);
  return { file: card.file, line: at?.line ?? 1, column: at?.column ?? 1 };
}

function serverTarget({ drawn, folder }: CodeProject, name: string): CodeTarget | undefined {
  const file = drawn.config.file;
  if (file === undefined || !Object.hasOwn(drawn.config.servers, name)) return undefined;
  const at = locateKey(folder, file, ['mcp', 'servers', name]);
  return { file, line: at?.line ?? 1, column: at?.column ?? 1 };
}

function codeTarget({ folder }: CodeProject, file: string, word: string): CodeTarget | undefined {
  const spec = splitCodeSpec(word);
  const path =
    spec && [joinPath(file, spec.file), joinPath('', spec.file)].find((one) => one !== undefined && folder.has(one));
  if (spec === undefined || path === undefined) return undefined;
  return { file: path, line: definitionLine(folder, path, spec.functionName) ?? 1, column: 1 };
}

function fileTarget({ folder }: CodeProject, file: string, word: string): CodeTarget | undefined {
  const paths = [joinPath(file, word), joinPath('', word)];
  const found = [...paths, ...paths.map((path) => path && `${path}/SKILL.md`)].find(
    (one) => one !== undefined && folder.has(one),
  );
  return found === undefined ? undefined : { file: found, line: 1, column: 1 };
}
