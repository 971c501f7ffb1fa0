/**
 * What a code file defines at its top level, by reading its text only: nothing of a project runs to check it. Strings and
 * comments of Python are blanked first, so that a `def` inside a docstring does not count.
 */
export interface Definition {
  readonly isAsync: boolean;
  /** Bound by an import or an assignment: what it is cannot be seen here. */
  readonly isOpaque: boolean;
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
  for (const [, isAsync, name = ''] of text.matchAll(pythonDef)) {
    found.set(name, { isAsync: isAsync !== undefined, isOpaque: false });
  }
  return found;
}

const jsFunction = /^(?:export[ \t]+(?:default[ \t]+)?)?(async[ \t]+)?function[ \t]*\*?[ \t]*([A-Za-z_$][\w$]*)/gm;
const jsName = /^(?:export[ \t]+)?(?:const|let|var)[ \t]+([A-Za-z_$][\w$]*)/gm;
const jsExportList = /^export[ \t]*\{([^}]*)\}/gm;

function scanJavaScript(text: string): ReadonlyMap<string, Definition> {
  const found = new Map<string, Definition>();
  for (const [, list = ''] of text.matchAll(jsExportList)) {
    for (const part of list.split(',')) {
      const name =
        part
          .trim()
          .split(/\s+as\s+/)
          .at(-1) ?? '';
      if (name !== '') found.set(name, { isAsync: false, isOpaque: true });
    }
  }
  for (const [, name = ''] of text.matchAll(jsName)) found.set(name, { isAsync: false, isOpaque: true });
  for (const [, isAsync, name = ''] of text.matchAll(jsFunction)) {
    found.set(name, { isAsync: isAsync !== undefined, isOpaque: false });
  }
  return found;
}
