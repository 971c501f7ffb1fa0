import { LineIndex } from '@/lib/cards/line-index';
import { blankJavaScript } from './blank-text';
import type { CodeScan, Definition } from './definition';
import { countJsParameters } from './js-parameters';

const identifier = /(?<![\w$.])[A-Za-z_$][\w$]*/g;
/** With these constructs a module can define names that do not occur in its text. */
const dynamic = /\bexport\s*\*|\bmodule\s*\.\s*exports\b|(?<![\w$.])exports\b|\bexport\s*=/;
const jsFunction = /(?<![\w$.])(export\s+(?:default\s+)?)?(?:async\s+)?function\b\s*(?:\*\s*)?([A-Za-z_$][\w$]*)/g;
const jsConstant = /(?<![\w$.])(export\s+)?const\s+([A-Za-z_$][\w$]*)/g;
const literal = /^\s*(?::[^=;\n]*)?=\s*(?:[-+]?\d[\w.]*|"[^"]*"|null|true|false)[^\S\n]*(?:;|$|\n\s*(?:[\w$@};]|$))/;

export function scanJavaScript(source: string): CodeScan {
  const { text, isSure } = blankJavaScript(source);
  if (!isSure || dynamic.test(text)) return { isSure, known: new Map(), mayDefine: () => true };
  const { outside, lists } = topLevel(text);
  const counts = new Map<string, number>();
  for (const part of [outside, ...lists.map((list) => list.text)]) {
    for (const [name] of part.matchAll(identifier)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const exported = new Set<string>();
  for (const list of lists.filter(({ isExport }) => isExport)) {
    for (const [name] of list.text.matchAll(identifier)) exported.add(name);
  }
  for (const [, name = ''] of outside.matchAll(/\bexport\s+default\s+([A-Za-z_$][\w$]*)/g)) exported.add(name);

  const known = new Map<string, Definition>();
  const lines = new LineIndex(text);
  const lineOf = (at: number) => lines.positionOf(at).line;
  const isExported = (word: string | undefined, name: string) => word !== undefined || exported.has(name);
  // True for a name that occurs once, apart from an export list, so that it is not overloaded, declared again or wrapped.
  const isOnly = (name: string) => counts.get(name) === 1 || (counts.get(name) === 2 && exported.has(name));
  const functions = [...outside.matchAll(jsFunction)];
  for (const [index, match] of functions.entries()) {
    const [whole, word, name = ''] = match;
    if (!isOnly(name)) continue;
    const from = match.index + whole.length;
    // The parameters end before the next function.
    const positional = countJsParameters(source, from, functions[index + 1]?.index);
    known.set(name, {
      kind: 'function',
      line: lineOf(from),
      isExported: isExported(word, name),
      ...(positional && { positional }),
    });
  }
  const constants = [...outside.matchAll(jsConstant)];
  for (const [index, match] of constants.entries()) {
    const [whole, word, name = ''] = match;
    const from = match.index + whole.length;
    if (!isOnly(name)) continue;
    if (literal.test(text.slice(from, from + 400))) {
      known.set(name, { kind: 'value', line: lineOf(from) });
      continue;
    }
    const positional = countJsParameters(source, from, constants[index + 1]?.index);
    if (positional === undefined) continue;
    known.set(name, { kind: 'function', line: lineOf(from), isExported: isExported(word, name), positional });
  }
  return { isSure, known, mayDefine: (name) => counts.has(name) };
}

/**
 * Returns the text outside brackets, with spaces for the rest, so that positions stay. Also returns the text inside
 * brackets that may bind names: `export {…}`, `const {…}`, `import a, {…}`.
 */
function topLevel(text: string): { outside: string; lists: { isExport: boolean; text: string }[] } {
  const lists: { isExport: boolean; text: string }[] = [];
  // The parts are joined at the end, because reading a growing string would copy it each time.
  const parts: string[] = [];
  let before = '';
  const keep = (part: string) => {
    parts.push(part);
    before = (before + part.slice(-120)).slice(-120);
  };
  let depth = 0;
  let from = 0;
  let isList = false;
  let isExport = false;
  for (const { 0: sign, index } of text.matchAll(/[()[\]{}]/g)) {
    if (')]}'.includes(sign)) {
      depth -= 1;
      if (depth !== 0) continue;
      if (isList) lists.push({ isExport, text: text.slice(from, index) });
      keep(text.slice(from, index).replaceAll(/[^\n]/g, ' '));
      from = index;
      continue;
    }
    if (depth === 0) {
      keep(text.slice(from, index));
      const words = before.trimEnd();
      isList = /(?:\b(?:export|import|const|let|var|using|type)|,)$/.test(words);
      isExport = /\bexport(?:\s+type)?$/.test(words);
      keep(sign);
      from = index + 1;
    }
    depth += 1;
  }
  keep(depth === 0 ? text.slice(from) : text.slice(from).replaceAll(/[^\n]/g, ' '));
  return { outside: parts.join(''), lists };
}
