import { type ParserPlugin, parse } from '@babel/parser';
import { languageOf } from './code-scan';
import { isScript, scriptPlugins } from './read-script';

/**
 * True if two texts of a code file differ only in what does not run: comments, white space, and how strings and numbers are written.
 * Code that cannot be read is the same only if its text is. It is not part of pages, because the parser is large.
 */
export function isSameCode(path: string, one: string, other: string): boolean {
  if (one === other) return true;
  switch (languageOf(path)) {
    case 'javascript': {
      const a = isScript(path) ? shapeOf(path, one) : undefined;
      return a !== undefined && a === shapeOf(path, other);
    }
    case 'python': {
      const a = pythonTokens(one);
      return a !== undefined && a === pythonTokens(other);
    }
    case undefined:
      return false;
  }
}

function shapeOf(path: string, text: string): string | undefined {
  const plugins: ParserPlugin[] = [...(/\.[cm]?ts$/i.test(path) ? (['typescript'] as const) : []), ...scriptPlugins];
  try {
    const { program } = parse(text, { sourceType: 'module', plugins, createImportExpressions: true });
    return JSON.stringify(program, (key, value: unknown) => (places.has(key) ? undefined : value));
  } catch {
    return undefined;
  }
}

/** What nodes of the syntax tree say of their text. */
const places: ReadonlySet<string> = new Set([
  ...['start', 'end', 'loc', 'range', 'extra'],
  ...['comments', 'leadingComments', 'trailingComments', 'innerComments'],
]);

/** A string, a comment, the end of a line with the spaces of the next one, a name or number, or one other character. */
const token =
  /(?:(?<![\w$])[rbfutRBFUT]{1,2})?(?:"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''|"(?:\\[\s\S]|[^"\\\r\n])*"|'(?:\\[\s\S]|[^'\\\r\n])*')|#[^\r\n]*|\\(?:\r\n?|\n)|(?:\r\n?|\n)[ \t\f]*|[ \t\f]+|\w+|[\s\S]/gu;
/** A comment that says how the file is read, or what runs it. */
const tellingComment = /^#!|coding[:=]/;

/**
 * Returns the tokens of Python code, with the indentation of each line. Brackets join lines. A text with a quote that does not end is
 * `undefined`.
 */
function pythonTokens(text: string): string | undefined {
  try {
    return joined(text.trimEnd());
  } catch (error) {
    // A string of many megabytes is too much for the pattern.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function joined(text: string): string | undefined {
  const tokens: string[] = [];
  let depth = 0;
  let indent = '';
  for (const [part] of `\n${text}`.matchAll(token)) {
    if (part === '"' || part === "'") return undefined;
    if ((part.startsWith('#') && !tellingComment.test(part)) || /^(?:\\[\r\n]|[ \t\f]+$)/.test(part)) continue;
    if (/^[\r\n]/.test(part)) {
      if (depth === 0) indent = `\n${part.replace(/^(?:\r\n?|\n)/, '')}`;
      continue;
    }
    // From Python 3.12 on, the values in such a string may have quotes of the same kind.
    if (/^[rb]?f/i.test(part) && /["']$/.test(part) && countOf(part, '{') !== countOf(part, '}')) return undefined;
    if ('([{'.includes(part)) depth += 1;
    if (')]}'.includes(part)) depth -= 1;
    // The line begins with its first token, so that empty lines and lines of comments say nothing.
    tokens.push(indent + part);
    indent = '';
  }
  return tokens.join(' ');
}

function countOf(text: string, char: string): number {
  return text.split(char).length - 1;
}
