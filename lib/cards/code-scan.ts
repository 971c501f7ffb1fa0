import { countJsParameters } from './js-parameters';

/**
 * What a code file defines at its top level, by reading its text only: nothing of a project runs to check it. Strings and
 * comments of Python are blanked first, so that a `def` inside a docstring does not count.
 */
export interface Definition {
  readonly isAsync: boolean;
  /** Bound by an import or an assignment: what it is cannot be seen here. */
  readonly isOpaque: boolean;
  /** How many positional arguments it takes. Absent: not to be told from the text. */
  readonly positional?: { readonly least: number; readonly most: number };
  /** JavaScript: other files can reach it. */
  readonly isExported?: boolean;
}

export type Language = 'python' | 'javascript';

export function languageOf(path: string): Language | undefined {
  if (/\.py$/i.test(path)) return 'python';
  return /\.[cm]?[jt]s$/i.test(path) ? 'javascript' : undefined;
}

export function scanDefinitions(language: Language, text: string): ReadonlyMap<string, Definition> {
  return language === 'python' ? scanPython(text) : scanJavaScript(text);
}

const pythonText = /('''|""")[\s\S]*?(?:\1|$)|#[^\n]*/g;
const pythonDef = /^(async[ \t]+)?def[ \t]+([^\W\d]\w*)/gmu;
const pythonName = /^([^\W\d]\w*)[ \t]*(?::[^=\n]*)?=(?!=)/gmu;
const pythonImport = /^(?:from[ \t]+\S+[ \t]+)?import[ \t]+(\([^)]*\)|[^\n]+)/gmu;

function scanPython(source: string): ReadonlyMap<string, Definition> {
  const text = source.replaceAll('\r\n', '\n').replaceAll(pythonText, '""');
  const found = new Map<string, Definition>();
  for (const [, list = ''] of text.matchAll(pythonImport)) {
    for (const part of list.replaceAll(/[()]/g, '').split(',')) {
      const name =
        part
          .trim()
          .split(/\s+as\s+/)
          .at(-1)
          ?.split('.')[0] ?? '';
      if (name !== '') found.set(name, { isAsync: false, isOpaque: true });
    }
  }
  for (const [, name = ''] of text.matchAll(pythonName)) found.set(name, { isAsync: false, isOpaque: true });
  for (const match of text.matchAll(pythonDef)) {
    const [whole, isAsync, name = ''] = match;
    const positional = countPositional(text, match.index + whole.length);
    found.set(name, { isAsync: isAsync !== undefined, isOpaque: false, ...(positional && { positional }) });
  }
  return found;
}

/** Parameters of a `def` whose name ends at `from`. A required keyword-only one makes `least` infinite. */
function countPositional(text: string, from: number): Definition['positional'] {
  const parameters = splitParameters(text, from);
  if (parameters === undefined) return undefined;
  let least = 0;
  let most = 0;
  let isKeywordOnly = false;
  for (const { name, hasDefault } of parameters) {
    if (name === '/' || name.startsWith('**')) continue;
    if (name.startsWith('*')) {
      isKeywordOnly = true;
      if (name !== '*') most = Number.POSITIVE_INFINITY;
    } else if (isKeywordOnly) {
      if (!hasDefault) least = Number.POSITIVE_INFINITY;
    } else {
      most += 1;
      if (!hasDefault) least += 1;
    }
  }
  return { least, most };
}

function splitParameters(text: string, from: number): { name: string; hasDefault: boolean }[] | undefined {
  const found: { name: string; hasDefault: boolean }[] = [];
  let depth = 0;
  let quote = '';
  let part = '';
  let hasDefault = false;
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === '\\') at += 1;
      else if (char === quote) quote = '';
      continue;
    }
    if (char === '"' || char === "'") {
      quote = char;
      continue;
    }
    if (depth === 0 && char !== '(') {
      if (/\s/.test(char)) continue;
      return undefined;
    }
    if ('([{'.includes(char)) depth += 1;
    if (')]}'.includes(char)) depth -= 1;
    if ((depth === 1 && char === ',') || depth === 0) {
      if (part.trim() !== '') found.push({ name: part.trim(), hasDefault });
      part = '';
      hasDefault = false;
      if (depth === 0) return found;
    } else if (depth === 1 && char === '=') hasDefault = true;
    else if (depth > 1 || char !== '(') part += char;
  }
  return undefined;
}

const jsFunction = /^(export[ \t]+(?:default[ \t]+)?)?(async[ \t]+)?function[ \t]*\*?[ \t]*([A-Za-z_$][\w$]*)/gm;
const jsName = /^(export[ \t]+)?(?:const|let|var)[ \t]+([A-Za-z_$][\w$]*)/gm;
const jsExportList = /^export[ \t]*\{([^}]*)\}/gm;

function scanJavaScript(text: string): ReadonlyMap<string, Definition> {
  const found = new Map<string, Definition>();
  const listed = new Set<string>();
  for (const [, list = ''] of text.matchAll(jsExportList)) {
    for (const part of list.split(',')) {
      const name =
        part
          .trim()
          .split(/\s+as\s+/)
          .at(-1) ?? '';
      if (name === '') continue;
      listed.add(name);
      found.set(name, { isAsync: false, isOpaque: true, isExported: true });
    }
  }
  for (const match of text.matchAll(jsName)) {
    const [whole, exported, name = ''] = match;
    const positional = countJsParameters(text, match.index + whole.length);
    const isExported = exported !== undefined || listed.has(name);
    found.set(name, { isAsync: false, isOpaque: true, isExported, ...(positional && { positional }) });
  }
  for (const match of text.matchAll(jsFunction)) {
    const [whole, exported, isAsync, name = ''] = match;
    const positional = countJsParameters(text, match.index + whole.length);
    const isExported = exported !== undefined || listed.has(name);
    found.set(name, { isAsync: isAsync !== undefined, isOpaque: false, isExported, ...(positional && { positional }) });
  }
  return found;
}
