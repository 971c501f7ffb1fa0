import { textLines } from '@/lib/base/text-lines';
import { LineIndex } from '@/lib/cards/line-index';
import { blankPython } from './blank-text';
import type { CodeScan, Definition } from './definition';

const identifier = /(?<![\w.])[^\W\d]\w*/gu;
/** With these constructs a module can define names that do not occur in its text. */
const dynamic = /\b(?:globals|locals|vars|exec|eval|setattr|__getattr__)\b|\bimport\s*(?:\(\s*)?\*/;
const def = /^(async[ \t]+)?def[ \t]+([^\W\d]\w*)/gmu;
const literal = /^([^\W\d]\w*)[ \t]*=[ \t]*(?:[-+]?\d[\w.]*|"[^"\n]*"|None|True|False)[ \t]*(?:;|$)/gmu;
const block = /^(?:(?:async[ \t]+)?def|class)\b/;

export function scanPython(source: string): CodeScan {
  const blanked = blankPython(source.replaceAll('\r\n', '\n'));
  const { text, isSure } = blanked;
  if (!isSure) return { isSure, known: new Map(), mayDefine: () => true };
  const isDynamic = dynamic.test(text);
  const module = topLevel(text);
  const counts = new Map<string, number>();
  for (const [name] of module.matchAll(identifier)) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [, names = ''] of text.matchAll(/\bglobal[ \t]+([^\n;]+)/g)) {
    // A function binds the name with `global`, at an unknown time.
    for (const name of names.split(',')) counts.set(name.trim(), 2);
  }
  const known = new Map<string, Definition>();
  // True for a name that is bound once, so that it is not bound again, wrapped or decorated.
  const isOnly = (name: string) => counts.get(name) === 1;
  const lines = new LineIndex(text);
  const lineOf = (at: number) => lines.positionOf(at).line;
  const decorated = decoratedLines(text);
  const defs = [...text.matchAll(def)];
  for (const [index, match] of defs.entries()) {
    const [whole, isAsync, name = ''] = match;
    const line = lineOf(match.index);
    if (isDynamic || !isOnly(name) || decorated.has(line)) {
      known.set(name, { kind: 'function', line });
      continue;
    }
    // The parameters end before the next function.
    const positional = countPositional(text, match.index + whole.length, defs[index + 1]?.index ?? text.length);
    known.set(name, { kind: 'function', line, isAsync: isAsync !== undefined, ...(positional && { positional }) });
  }
  for (const { 1: name = '', index } of text.matchAll(literal)) {
    if (!isDynamic && isOnly(name)) known.set(name, { kind: 'value', line: lineOf(index) });
  }
  return { isSure, known, mayDefine: (name) => isDynamic || counts.has(name) };
}

/** Returns the text without the bodies of functions and classes. */
function topLevel(text: string): string {
  let depth = 0;
  let isInside = false;
  return linesOf(text)
    .map((line) => {
      const isContinued = depth > 0;
      for (const char of line) depth += '([{'.includes(char) ? 1 : ')]}'.includes(char) ? -1 : 0;
      if (!isContinued && line.trim() !== '' && !/^\s/.test(line)) {
        isInside = block.test(line);
        return isInside ? (/^[\w \t]*/u.exec(line)?.[0] ?? '') : line;
      }
      return isInside ? '' : line;
    })
    .join('\n');
}

/**
 * Returns the numbers of decorated lines. A decorator may continue on indented lines or a closing bracket; blank lines may
 * follow it.
 */
function decoratedLines(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  let above: 'decorator' | 'blank' | undefined;
  for (const [index, line] of linesOf(text).entries()) {
    if (above !== undefined) found.add(index + 1);
    if (line.startsWith('@')) above = 'decorator';
    else if (above === 'decorator' && /^[ \t)\]}]/.test(line)) continue;
    else if (above !== undefined && line.trim() === '') above = 'blank';
    else above = undefined;
  }
  return found;
}

/**
 * Counts the parameters of a `def` between `from` and `until`. With a required keyword-only parameter, `least` is infinite.
 */
function countPositional(text: string, from: number, until: number): { least: number; most: number } | undefined {
  const parameters = splitParameters(text, from, until);
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

function splitParameters(
  text: string,
  from: number,
  until: number,
): { name: string; hasDefault: boolean }[] | undefined {
  const found: { name: string; hasDefault: boolean }[] = [];
  let depth = 0;
  let part = '';
  let hasDefault = false;
  for (let at = from; at < until; at++) {
    const char = text.charAt(at);
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

function linesOf(text: string): readonly string[] {
  return textLines(text).map((line) => line.text);
}
