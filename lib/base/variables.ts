/** A variable in a text: `${NAME}` or `${NAME:default}`, as in fast-agent. */
export interface VariableUse {
  readonly name: string;
  /** The text after the colon. With `undefined` there is no default, so the variable must be set. */
  readonly fallback: string | undefined;
}

/** Returns the variables in a text, in order. */
export function variablesIn(text: string): readonly VariableUse[] {
  return split(text).flatMap((part) => (typeof part === 'string' ? [] : [part]));
}

/** Replaces each variable with the result of `textFor`. Variables in that result are not replaced. */
export function fillVariables(text: string, textFor: (use: VariableUse) => string): string {
  return split(text)
    .map((part) => (typeof part === 'string' ? part : textFor(part)))
    .join('');
}

/**
 * Splits a text into variables and the text between them. Each search continues where the last one ended, so the time is
 * linear, even for `${A:${A:${A:…`.
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
