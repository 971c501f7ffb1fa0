import type { Issue } from '@/lib/base/issue';
import type { Result } from '@/lib/base/result';
import { languageOf, scanCode } from '@/lib/cards/code/code-scan';
import { checkPath } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { FolderDraft } from './draft';
import { type Dialect, type FunctionKind, functionSkeleton } from './function-skeleton';

export interface NewFunction {
  /** The path in the folder. Its extension (`.py`, `.ts`, `.js` …) decides the language. */
  readonly file: string;
  readonly name: string;
  readonly kind: FunctionKind;
}

/**
 * Adds a function to a code file, or creates the file with it. It is appended, and text that is there stays as it is. Returns
 * the new text by path. The error is an Issue: the name is no name of a function or is taken, the file is no code, or its
 * text has quotes or brackets that do not match, so that appended code would not be a function.
 */
export function addFunction(folder: Folder, added: NewFunction): Result<ReadonlyMap<string, string | null>, Issue> {
  const { file, name } = added;
  const draft = new FolderDraft(folder);
  const language = languageOf(file);
  const dialect = dialectOf(file);
  const path = checkPath(file);
  const text = draft.text(file) ?? '';
  if (path !== undefined) draft.fail(path.code, file, path.message);
  else if (language === undefined || dialect === undefined) {
    draft.fail('code-kind', file, `'${file}' is no code file. Give it a name that ends in .py, .ts or .js.`);
  } else if (folder.has(file) && draft.text(file) === undefined) {
    draft.fail('not-text', file, `${file} is not text. Replace it with a text file first.`);
  } else if (!folder.has(file) && draft.hasAnyCase(file)) {
    draft.fail('path-taken', file, `Another file has the name '${file}' in other letter case. Use that one.`);
  } else if (!isFunctionName(name, dialect)) {
    draft.fail(
      'bad-name',
      file,
      `'${name}' is no name of a function. Use letters, digits and _, and begin with a letter.`,
    );
  } else {
    const scan = scanCode(language, text);
    if (!scan.isSure) {
      draft.fail('cannot-edit', file, `Quotes or brackets in ${file} do not match. Correct them first.`);
    } else if (scan.known.has(name) || (scan.mayDefine(name) && hasWord(text, name))) {
      draft.fail('name-taken', file, `${file} uses the name '${name}' already. Choose another name.`);
    } else {
      draft.write(file, appended(text, functionSkeleton(dialect, added.kind, name, isCommonJs(file, text)), dialect));
    }
  }
  return draft.changes();
}

/** Returns the line (from 1) where a file of the folder defines a function or value, or `undefined`. */
export function definitionLine(folder: Folder, file: string, name: string): number | undefined {
  const language = languageOf(file);
  const found = folder.get(file);
  return language === undefined || found?.kind !== 'text'
    ? undefined
    : scanCode(language, found.text).known.get(name)?.line;
}

/** True for a name that a function of the language may have. */
export function isFunctionName(name: string, dialect: Dialect): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !reserved[dialect === 'python' ? 'python' : 'javascript'].has(name);
}

function dialectOf(file: string): Dialect | undefined {
  if (languageOf(file) === 'python') return 'python';
  if (languageOf(file) === undefined) return undefined;
  return /ts$/i.test(file) ? 'typescript' : 'javascript';
}

/** Two blank lines come before a function in Python, and one elsewhere. The line ends are those of the text. */
function appended(text: string, skeleton: string, dialect: Dialect): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const added = skeleton.replaceAll('\n', eol);
  if (text.trim() === '') return text.startsWith('\uFEFF') ? `\uFEFF${added}` : added;
  const wanted = dialect === 'python' ? 3 : 2;
  const ends = (/(?:\r?\n)*$/.exec(text)?.[0] ?? '').split('\n').length - 1;
  return text + eol.repeat(Math.max(0, wanted - ends)) + added;
}

function isCommonJs(file: string, text: string): boolean {
  if (/\.c[jt]s$/i.test(file)) return true;
  return /\bmodule\s*\.\s*exports\b|(?<![\w$.])exports\s*\./.test(text) && !/^\s*(?:export|import)\b/m.test(text);
}

function hasWord(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(text);
}

const words = (text: string) => new Set(text.split(/\s+/));

/** Names that cannot be those of functions: keywords, and `await` where every function is async. */
const reserved = {
  python:
    words(`False None True and as assert async await break class continue def del elif else except finally for from
    global if import in is lambda nonlocal not or pass raise return try while with yield`),
  javascript:
    words(`arguments await break case catch class const continue debugger default delete do else enum eval export
    extends false finally for function if implements import in instanceof interface let new null package private protected
    public return static super switch this throw true try typeof var void while with yield`),
};
