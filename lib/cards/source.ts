/**
 * Splits a card's text into front matter and body, as fast-agent does: a BOM and blank lines may come before the fence, lines
 * may end in CRLF, and without a closing fence everything is the body.
 *
 *     BOM? blank* ---␤   front matter   ---␤   body
 *                     ╰ yaml.offset          ╰ body.offset
 *
 * Offsets are UTF-16 units into the file's text, so `text.slice(offset, offset + slice.text.length) === slice.text`.
 */

export interface Slice {
  readonly text: string;
  /** Where `text` starts in the file. */
  readonly offset: number;
}

export interface CardSource {
  readonly kind: 'markdown' | 'yaml';
  readonly text: string;
  readonly bom: boolean;
  readonly eol: '\n' | '\r\n';
  /** The opening fence. `undefined` for YAML files and for Markdown without front matter. */
  readonly fence: '---' | '+++' | undefined;
  /** The YAML to parse: the front matter, or a whole YAML file. `undefined` if there is no YAML. */
  readonly yaml: Slice | undefined;
  /** The text after the line of the closing fence. `undefined` for a YAML file. */
  readonly body: Slice | undefined;
}

const cardExtension = /\.(md|markdown|yaml|yml)$/i;
/** fast-agent opens at exactly three characters; python-frontmatter closes at three or more. An indented line is content. */
const openingFence = /(-{3}|\+{3})[ \t]*(?:\r?\n|$)/y;
const closingFence = /^-{3,}[ \t]*(?:\r?\n|$)/gm;

export function isCardFile(path: string): boolean {
  return cardExtension.test(path);
}

export function sourceKind(path: string): 'markdown' | 'yaml' {
  return /\.ya?ml$/i.test(path) ? 'yaml' : 'markdown';
}

export function splitSource(path: string, text: string): CardSource {
  const bom = text.startsWith('\uFEFF');
  const base = { text, bom, eol: endOfLine(text) };
  const start = bom ? 1 : 0;
  if (sourceKind(path) === 'yaml') {
    return { ...base, kind: 'yaml', fence: undefined, yaml: slice(text, start, text.length), body: undefined };
  }
  const opening = start + (/^\s*/.exec(text.slice(start, start + 10_000))?.[0].length ?? 0);
  openingFence.lastIndex = opening;
  const first = openingFence.exec(text);
  // A fence is alone on its line: `---USER`, for example, starts a history file.
  const fence = first === null ? undefined : first[1] === '+++' ? '+++' : '---';
  const whole = { ...base, kind: 'markdown', fence, yaml: undefined, body: slice(text, start, text.length) } as const;
  if (first === null || fence !== '---') return whole;

  const yamlStart = opening + first[0].length;
  closingFence.lastIndex = yamlStart;
  const second = closingFence.exec(text);
  if (second === null) return whole;
  const bodyStart = second.index + second[0].length;
  return {
    ...whole,
    yaml: slice(text, yamlStart, second.index),
    body: slice(text, bodyStart, text.length),
  };
}

function endOfLine(text: string): '\n' | '\r\n' {
  const newline = text.indexOf('\n');
  return newline > 0 && text[newline - 1] === '\r' ? '\r\n' : '\n';
}

function slice(text: string, from: number, to: number): Slice {
  return { text: text.slice(from, to), offset: from };
}
