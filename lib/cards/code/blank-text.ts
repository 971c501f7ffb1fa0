/**
 * Code with its strings, comments, templates and regular expressions replaced by spaces, so that only names and punctuation
 * are left, at their positions. `isSure` is false if quotes or brackets do not match, so that nothing can be concluded.
 */
export interface BlankedText {
  readonly text: string;
  readonly isSure: boolean;
}

/** Blanks Python code. Strings become `"   "`, so that a value stays visible as one. */
export function blankPython(source: string): BlankedText {
  const blanks = new Blanks(source);
  const opening = /#|(?:(?<![\w$])[rbfutRBFUT]{1,2})?("""|'''|"|')/g;
  for (let found = opening.exec(source); found !== null; found = opening.exec(source)) {
    const [whole, quote] = found;
    const from = found.index;
    if (quote === undefined) opening.lastIndex = blanks.blank(from, endOfLine(source, from));
    else {
      const end = endOfString(source, from + whole.length, quote);
      if (end === undefined) return blanks.result(false);
      opening.lastIndex = blanks.blank(from, end, '"');
    }
  }
  return blanks.result(true);
}

export function blankJavaScript(source: string): BlankedText {
  const blanks = new Blanks(source);
  return blanks.result(blankScript(source, blanks));
}

/** A template literal that contains the current expression: its start, and the number of open brackets around it. */
interface OpenTemplate {
  readonly from: number;
  readonly depth: number;
}

/**
 * Blanks JavaScript code. Returns false if quotes or brackets do not match. Nested templates are on an explicit stack, so
 * their depth is not limited.
 */
function blankScript(source: string, blanks: Blanks): boolean {
  const templates: OpenTemplate[] = [];
  let depth = 0;
  /** Reads the text of a template. Returns where code continues, inside or after it. */
  const readTemplate = (from: number, at: number, around: number): number | undefined => {
    const part = templatePart(source, at);
    if (part === undefined) return undefined;
    depth = part.isEnd ? around : 0;
    if (part.isEnd) blanks.blank(from, part.end, '"');
    else templates.push({ from, depth: around });
    return part.end;
  };
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at);
    let end: number | undefined = at;
    if (source.startsWith('//', at) || (at === 0 && source.startsWith('#!')))
      end = blanks.blank(at, endOfLine(source, at));
    else if (source.startsWith('/*', at)) end = blanks.blank(at, after(source, '*/', at + 2));
    else if (char === '"' || char === "'") {
      end = endOfString(source, at + 1, char);
      if (end !== undefined) blanks.blank(at, end, '"');
    } else if (char === '`') end = readTemplate(at, at + 1, depth);
    else if (char === '/' && mayBeRegExp(blanks.before(at))) {
      end = endOfRegExp(source, at + 1);
      if (end !== undefined) blanks.blank(at, end, '"');
    } else if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) {
      if (depth > 0) depth -= 1;
      else {
        const template = char === '}' ? templates.pop() : undefined;
        end = template && readTemplate(template.from, at + 1, template.depth);
      }
    }
    if (end === undefined) return false;
    if (end > at) at = end - 1;
  }
  return depth === 0 && templates.length === 0;
}

/**
 * Returns the end of template text: at an expression (`${`) or at the end of the template. Returns `undefined` without
 * either.
 */
function templatePart(source: string, from: number): { readonly end: number; readonly isEnd: boolean } | undefined {
  for (let at = from; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '`') return { end: at + 1, isEnd: true };
    else if (source.startsWith('${', at)) return { end: at + 2, isEnd: false };
  }
  return undefined;
}

const beforeRegExp =
  /(?:^|[(,=:[!&|?{;+\-*%~^<>]|(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|yield|await))$/;

function mayBeRegExp(before: string): boolean {
  return beforeRegExp.test(before);
}

function endOfRegExp(source: string, from: number): number | undefined {
  let isInClass = false;
  for (let at = from; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === '\n') return undefined;
    if (char === '\\') at += 1;
    else if (char === '[') isInClass = true;
    else if (char === ']') isInClass = false;
    else if (char === '/' && !isInClass) return at + 1;
  }
  return undefined;
}

/** Returns the end of a string. A string in single quotes must end on its line; a string in triple quotes need not. */
function endOfString(source: string, from: number, quote: string): number | undefined {
  for (let at = from; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === '\\') at += source.startsWith('\r\n', at + 1) ? 2 : 1;
    else if (source.startsWith(quote, at)) return at + quote.length;
    else if (char === '\n' && quote.length === 1) return undefined;
  }
  return undefined;
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
}

function after(source: string, end: string, from: number): number {
  const found = source.indexOf(end, from);
  return found < 0 ? source.length : found + end.length;
}

class Blanks {
  private readonly spans: { readonly from: number; readonly to: number; readonly edge: string }[] = [];

  constructor(private readonly source: string) {}

  /** Replaces a range by spaces and returns `to`. */
  blank(from: number, to: number, edge = ' '): number {
    // The whole template is replaced by blanks, so the spans inside it are not needed.
    while ((this.spans.at(-1)?.from ?? -1) >= from) this.spans.pop();
    this.spans.push({ from, to, edge });
    return to;
  }

  /** Returns the last word or punctuation before `at`, without comments. For a string it returns `"`. */
  before(at: number): string {
    let end = at;
    for (let index = this.spans.length; end > 0; ) {
      const span = this.spans[index - 1];
      if (span !== undefined && span.to === end) {
        if (span.edge === '"') return '"';
        end = span.from;
        index -= 1;
      } else if (/\s/.test(this.source.charAt(end - 1))) end -= 1;
      else return this.source.slice(Math.max(0, end - 12, span?.to ?? 0), end);
    }
    return '';
  }

  result(isSure: boolean): BlankedText {
    const parts: string[] = [];
    let from = 0;
    for (const span of this.spans) {
      const inner = this.source.slice(span.from, span.to).replaceAll(/[^\n]/g, ' ');
      parts.push(this.source.slice(from, span.from), span.edge === ' ' ? inner : edged(inner, span.edge));
      from = span.to;
    }
    parts.push(this.source.slice(from));
    return { text: parts.join(''), isSure };
  }
}

function edged(inner: string, edge: string): string {
  return inner.length < 2 ? inner : edge + inner.slice(1, -1) + edge;
}
