/**
 * Counts the parameters of a JavaScript or TypeScript function in its text. `from` is the end of its name, before `(a, b)`,
 * `= async (a, b) =>`, `= function (a)` or a type. `until` limits the search. Returns `undefined` if the number cannot be
 * determined.
 */
export function countJsParameters(
  text: string,
  from: number,
  until = text.length,
): { least: number; most: number } | undefined {
  const rest = text.slice(from, Math.min(from + 4_000, until));
  const single = /^\s*=\s*(?:async\s+)?[A-Za-z_$][\w$]*\s*=>/.exec(rest);
  if (single) return { least: 1, most: 1 };
  const head = /^\s*(?:=\s*(?:async\b\s*)?(?:function\b\s*(?:\*\s*)?(?:[\w$]+\s*)?)?)?(?=[(<])/.exec(rest);
  if (!head) return undefined;
  const open = openingOf(rest, head[0].length);
  const counted = open === undefined ? undefined : countIn(rest, open);
  if (counted === undefined) return undefined;
  // `= (…)` may also be an expression in parentheses.
  const isArrow = head[0].includes('=') && !head[0].includes('function');
  if (isArrow && !/^\s*(?:=>|:)/.test(rest.slice(counted.end))) return undefined;
  return { least: counted.least, most: counted.most };
}

/** Returns the position after type parameters: `<T extends object>(`. */
function openingOf(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (depth === 0 && char === '(') return at;
    if (char === '<') depth += 1;
    else if (char === '>' && text.charAt(at - 1) !== '=') depth -= 1;
    else if (depth === 0 && !/\s/.test(char)) return undefined;
  }
  return undefined;
}

function countIn(text: string, open: number): { least: number; most: number; end: number } | undefined {
  let depth = 0;
  let least = 0;
  let most = 0;
  let part = '';
  let hasType = false;
  for (let at = open; at < text.length; at++) {
    const char = text.charAt(at);
    const skipped = skip(text, at);
    if (skipped > at) {
      if (char !== '/') part += '"';
      at = skipped - 1;
      continue;
    }
    if ('([{'.includes(char) || (char === '<' && hasType)) depth += 1;
    if (')]}'.includes(char) || (char === '>' && hasType && text.charAt(at - 1) !== '=')) depth -= 1;
    const isEnd = depth === 0;
    if (isEnd || (depth === 1 && char === ',')) {
      const written = part.trim();
      if (written.startsWith('...')) most = Number.POSITIVE_INFINITY;
      // TypeScript's `this` declares a type, not a parameter.
      else if (written !== '' && !/^this\b/.test(written)) {
        most += 1;
        if (!isOptional(written)) least += 1;
      }
      if (isEnd) return { least, most, end: at + 1 };
      part = '';
      hasType = false;
    } else if (at > open) {
      part += char;
      hasType ||= char === ':';
    }
  }
  return undefined;
}

/** True for `a?`, `a?: T`, `a = 1`, `a: T = 1`. False for `a: (b) => T`. */
function isOptional(written: string): boolean {
  return /^[\w$]+\s*\?/.test(written) || /(?:^|[^=!<>])=(?![=>])/.test(written);
}

/** Returns the position after a comment or string at `at`, or `at` itself. */
function skip(text: string, at: number): number {
  const two = text.slice(at, at + 2);
  const after = (end: string, from: number) => {
    const found = text.indexOf(end, from);
    return found === -1 ? text.length : found + end.length;
  };
  if (two === '//') return after('\n', at);
  if (two === '/*') return after('*/', at + 2);
  const quote = text.charAt(at);
  if (quote !== '"' && quote !== "'" && quote !== '`') return at;
  for (let next = at + 1; next < text.length; next++) {
    if (text.charAt(next) === '\\') next += 1;
    else if (text.charAt(next) === quote) return next + 1;
  }
  return text.length;
}
