import { blankJavaScript, lineOf } from './blank-text';
import type { CodeScan, Definition } from './code-scan';
import { countJsParameters } from './js-parameters';

const identifier = /(?<![\w$.])[A-Za-z_$][\w$]*/g;
/** With these a module can have names that its text does not. */
const dynamic = /\bexport\s*\*|\bmodule\s*\.\s*exports\b|(?<![\w$.])exports\b|\bexport\s*=/;
const jsFunction = /(?<![\w$.])(export\s+(?:default\s+)?)?(?:async\s+)?function\b\s*\*?\s*([A-Za-z_$][\w$]*)/g;
const jsConstant = /(?<![\w$.])(export\s+)?const\s+([A-Za-z_$][\w$]*)/g;
const literal = /^\s*(?::[^=;\n]*)?=\s*(?:[-+]?\d[\w.]*|"[^"]*"|null|true|false)\s*(?:;|\n\s*(?:[\w$@}]|$)|$)/;

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
  const isExported = (word: string | undefined, name: string) => word !== undefined || exported.has(name);
  // Named once, but for a list of exports: no overload, no second declaration, nothing that wraps it.
  const isOnly = (name: string) => counts.get(name) === 1 || (counts.get(name) === 2 && exported.has(name));
  for (const match of outside.matchAll(jsFunction)) {
    const [whole, word, name = ''] = match;
    if (!isOnly(name)) continue;
    const positional = countJsParameters(source, match.index + whole.length);
    known.set(name, {
      kind: 'function',
      line: lineOf(text, match.index + whole.length),
      isExported: isExported(word, name),
      ...(positional && { positional }),
    });
  }
  for (const match of outside.matchAll(jsConstant)) {
    const [whole, word, name = ''] = match;
    const from = match.index + whole.length;
    if (!isOnly(name)) continue;
    if (literal.test(text.slice(from, from + 400))) {
      known.set(name, { kind: 'value', line: lineOf(text, from) });
      continue;
    }
    const positional = countJsParameters(source, from);
    if (positional === undefined) continue;
    known.set(name, { kind: 'function', line: lineOf(text, from), isExported: isExported(word, name), positional });
  }
  return { isSure, known, mayDefine: (name) => counts.has(name) };
}

/** What is in no brackets; and what is in those that may bind names: `export {…}`, `const {…}`, `import a, {…}`. */
function topLevel(text: string): { outside: string; lists: { isExport: boolean; text: string }[] } {
  const lists: { isExport: boolean; text: string }[] = [];
  let outside = '';
  let depth = 0;
  let opened = 0;
  let isList = false;
  let isExport = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (')]}'.includes(char)) {
      depth -= 1;
      if (depth === 0 && isList) lists.push({ isExport, text: text.slice(opened, at) });
    }
    outside += depth === 0 || char === '\n' ? char : ' ';
    if ('([{'.includes(char)) {
      if (depth === 0) {
        const before = outside.slice(-120, -1).trimEnd();
        isList = /(?:\b(?:export|import|const|let|var|using|type)|,)$/.test(before);
        isExport = /\bexport(?:\s+type)?$/.test(before);
        opened = at + 1;
      }
      depth += 1;
    }
  }
  return { outside, lists };
}
