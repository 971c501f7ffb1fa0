import type { Folder, FolderFile } from '@/lib/cards/folder';
import { blankJavaScript, blankPython } from './blank-text';
import { type Language, languageOf, scanCode } from './code-scan';

/** A function in the text of a code file, as far as the text shows it. Nothing runs. */
export interface ListedFunction {
  readonly file: string;
  readonly name: string;
  /** Counts from 1. */
  readonly line: number;
  /** Absent if the text does not show where the parameters begin and end. */
  readonly parameters?: readonly ListedParameter[];
  /** The first paragraph of its docstring or JSDoc comment. */
  readonly description?: string;
  /** The whole docstring or JSDoc comment, with what it says of parameters. White space is as one space. */
  readonly doc?: string;
  /** False only for a function of a JavaScript file that does not export it. */
  readonly isExported: boolean;
}

export interface ListedParameter {
  readonly name: string;
  /** The type as it is written. */
  readonly type?: string;
  readonly isOptional: boolean;
}

/** Returns the functions at the top level of all code files, by file and then in the order of the text. */
export function listFunctions(folder: Folder): readonly ListedFunction[] {
  return [...folder].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([path, file]) => functionsOfFile(path, file));
}

/** The functions of file objects that are still in use, so that after an edit only the changed file is read again. */
const byFile = new WeakMap<FolderFile, { readonly path: string; readonly found: readonly ListedFunction[] }>();

function functionsOfFile(path: string, file: FolderFile): readonly ListedFunction[] {
  const language = languageOf(path);
  if (language === undefined || file.kind !== 'text') return [];
  const last = byFile.get(file);
  if (last?.path === path) return last.found;
  const found = functionsIn(path, file.text, language);
  byFile.set(file, { path, found });
  return found;
}

function functionsIn(file: string, source: string, language: Language): readonly ListedFunction[] {
  const { known } = scanCode(language, source);
  const blanked = language === 'python' ? blankPython(source).text : blankJavaScript(source).text;
  const starts = lineStarts(source);
  return [...known]
    .flatMap(([name, definition]): ListedFunction[] => {
      if (definition.kind !== 'function') return [];
      const from = starts[definition.line - 1] ?? 0;
      const at = nameAt(blanked, name, from);
      const list = at === undefined ? undefined : parameterList(source, blanked, at + name.length);
      const doc = language === 'python' ? docstring(source, list?.end ?? from) : jsdoc(source, from);
      const description = firstParagraph(language === 'python' ? doc : doc?.split(/^\s*@/m)[0]);
      return [
        {
          file,
          name,
          line: definition.line,
          isExported: definition.isExported !== false,
          ...(list === undefined ? {} : { parameters: list.parts.flatMap((part) => parameterOf(part, language)) }),
          ...(description === undefined ? {} : { description }),
          ...(doc === undefined ? {} : { doc: doc.replaceAll(/\s+/g, ' ').trim() }),
        },
      ];
    })
    .sort((a, b) => a.line - b.line);
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The line of a definition is that of its name. */
function nameAt(text: string, name: string, from: number): number | undefined {
  const end = text.indexOf('\n', from);
  const line = text.slice(from, end === -1 ? undefined : end);
  const found = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).exec(line);
  return found === null ? undefined : from + found.index;
}

/** Longer lists are not read. */
const mostCharacters = 4_000;

/** Returns the texts between the commas of the first list in parentheses, and where it ends. */
function parameterList(source: string, blanked: string, from: number) {
  const open = blanked.indexOf('(', from);
  // Between the name and its parameters are at most `= async`, `= function` or a type.
  if (open === -1 || open - from > 200 || /[;{}]/.test(blanked.slice(from, open))) return undefined;
  const parts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < Math.min(blanked.length, open + mostCharacters); at++) {
    const char = blanked.charAt(at);
    if ('([{'.includes(char)) depth += 1;
    if (')]}'.includes(char)) depth -= 1;
    const isEnd = depth === 0;
    if (isEnd || (depth === 1 && char === ',' && !insideAngles(blanked.slice(start, at)))) {
      parts.push(source.slice(start, at));
      start = at + 1;
    }
    if (isEnd) return { parts: parts.filter((part) => part.trim() !== ''), end: at + 1 };
  }
  return undefined;
}

/** True within `Record<string, …`. */
function insideAngles(text: string): boolean {
  const plain = text.replaceAll('=>', '');
  return plain.split('<').length > plain.split('>').length;
}

function parameterOf(part: string, language: Language): ListedParameter[] {
  const text = withoutComments(part, language).replaceAll(/\s+/g, ' ').trim();
  if (text === '') return [];
  // `*`, `/`, `*args` and `**more` of Python, `this` of TypeScript.
  if (/^[*/]/.test(text) || /^this\b/.test(text)) return [];
  const found = /^(\.{3})?([A-Za-z_$][\w$]*)(\?)?\s*(?::\s*(.*?))?(?:(?<![=!<>])=(?![=>])\s*(.*))?$/.exec(text);
  if (found === null) return [{ name: text, isOptional: false }];
  const [, rest, name = '', mark, type, fallback] = found;
  const isOptional = rest !== undefined || mark !== undefined || fallback !== undefined;
  const written = type?.trim();
  return [
    {
      name,
      isOptional: language === 'python' ? fallback !== undefined : isOptional,
      ...(written ? { type: written } : {}),
    },
  ];
}

/** Comments with quotes stay, because they may be a part of a text. */
function withoutComments(part: string, language: Language): string {
  if (language === 'python') return part.replaceAll(/(?:^|\s)#[^\n'"]*$/gm, '');
  return part.replaceAll(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/[^\n'"`]*$/gm, '');
}

/** Reads the string after the colon that ends the head of a Python function. */
function docstring(source: string, from: number): string | undefined {
  const rest = source.slice(from, from + mostCharacters);
  const found = /^[^:\n]*:[^\S\n]*(?:#[^\n]*)?\s*[rRuU]?("""|'''|"|')([\s\S]*?)\1/.exec(rest);
  return found?.[2];
}

function jsdoc(source: string, from: number): string | undefined {
  const before = source.slice(Math.max(0, from - mostCharacters), from).trimEnd();
  if (!before.endsWith('*/')) return undefined;
  const start = before.lastIndexOf('/**');
  if (start === -1 || before.indexOf('*/', start) !== before.length - 2) return undefined;
  const lines = before
    .slice(start + 3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''));
  return lines.join('\n');
}

function firstParagraph(text: string | undefined): string | undefined {
  const paragraph = text
    ?.trim()
    .split(/\n\s*\n/)[0]
    ?.replaceAll(/\s+/g, ' ')
    .trim();
  return paragraph === undefined || paragraph === '' ? undefined : paragraph;
}

/** Writes a function as people read it: `add_one(x: int, by?: int)`. */
export function signatureOf({ name, parameters }: Pick<ListedFunction, 'name' | 'parameters'>): string {
  if (parameters === undefined) return `${name}(…)`;
  const parts = parameters.map(
    (one) => `${one.name}${one.isOptional ? '?' : ''}${one.type === undefined ? '' : `: ${one.type}`}`,
  );
  return `${name}(${parts.join(', ')})`;
}
