/** One `${NAME}` or `${NAME:default}` of a text, as fast-agent writes variables. */
export interface VariableUse {
  readonly name: string;
  /** The text after the colon. Undefined: there is none, and the variable must have a value. */
  readonly fallback: string | undefined;
}

/** The variables a text names, in its order. */
export function variablesIn(text: string): readonly VariableUse[] {
  return split(text).flatMap((part) => (typeof part === 'string' ? [] : [part]));
}

/** The text with `textFor` in place of each variable. What is filled in is not looked at again. */
export function fillVariables(text: string, textFor: (use: VariableUse) => string): string {
  return split(text)
    .map((part) => (typeof part === 'string' ? part : textFor(part)))
    .join('');
}

/**
 * Cuts a text into variables and what stands between them. Each search goes on where the last one ended, so the time is
 * linear in the length, also for a text of `${A:${A:${A:…`.
 */
function split(text: string): (string | VariableUse)[] {
  const parts: (string | VariableUse)[] = [];
  let done = 0;
  let end = -1;
  for (let at = text.indexOf('${'); at !== -1; at = text.indexOf('${', at)) {
    if (end < at) end = text.indexOf('}', at);
    if (end === -1) break;
    const use = readUse(text, at + 2, end);
    if (use === undefined) {
      at += 2;
      continue;
    }
    parts.push(text.slice(done, at), use);
    done = end + 1;
    at = done;
  }
  parts.push(text.slice(done));
  return parts;
}

const nameAndColon = /[A-Za-z_][A-Za-z0-9_]*:?/y;

function readUse(text: string, from: number, end: number): VariableUse | undefined {
  nameAndColon.lastIndex = from;
  const [found] = nameAndColon.exec(text) ?? [];
  if (found === undefined) return undefined;
  if (found.endsWith(':')) return { name: found.slice(0, -1), fallback: text.slice(from + found.length, end) };
  return from + found.length === end ? { name: found, fallback: undefined } : undefined;
}
