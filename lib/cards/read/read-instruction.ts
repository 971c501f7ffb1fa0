import type { CardSource } from '@/lib/cards/source';
import type { CardContext } from './card-context';
import { describeValue } from './describe-value';

const historyFence = /^[ \t]*---(?:USER|ASSISTANT|RESOURCE)[ \t]*$/m;
const systemFence = /^\s*---SYSTEM[ \t]*(?:\r?\n|$)/;
const includeStart = /(\\?)\{\{(file|file_silent):/g;

/** Reads the instruction from the body or the field, by fast-agent's rules. Placeholders are not filled in. */
export function readInstruction(card: CardContext, source: CardSource): string | undefined {
  const field = card.value.instruction ?? undefined;
  const body = readBody(card, source);
  if (field === undefined) return body;
  if (body !== undefined) {
    const text = "The instruction is given twice, in 'instruction' and below the front matter. Keep one of them.";
    card.report.reportKey('instruction-twice', ['instruction'], text);
    return body;
  }
  if (typeof field !== 'string') {
    const text = `'instruction' must be a string, not ${describeValue(field)}. Put it in quotes.`;
    card.report.report('wrong-type', ['instruction'], text);
    return undefined;
  }
  if (field.trim() === '') {
    const text = "'instruction' must not be empty. Write one, or remove the field to get the default.";
    card.report.report('instruction-empty', ['instruction'], text);
    return undefined;
  }
  const { line, column } = card.report.placeOf(['instruction']);
  for (const target of includesOf(field)) {
    card.references.push({ kind: 'include', target: target.path, field: 'instruction', line, column });
  }
  return field;
}

function readBody(card: CardContext, source: CardSource): string | undefined {
  const { body } = source;
  if (body === undefined) return undefined;
  const inline = historyFence.exec(body.text);
  if (inline !== null) {
    const text = `'${inline[0].trim()}' starts a history block, which a card cannot hold. Move it to a file and name that in 'messages'.`;
    const indent = inline[0].length - inline[0].trimStart().length;
    card.report.reportAt('inline-history', body.offset + inline.index + indent, text);
  }
  for (const { path, at } of includesOf(body.text)) {
    const { line, column } = card.report.lines.positionOf(body.offset + at);
    card.references.push({ kind: 'include', target: path, field: 'instruction', line, column });
  }
  const text = body.text.replace(systemFence, '').replaceAll('\r\n', '\n').trim();
  return text === '' ? undefined : text;
}

/**
 * Returns the `{{file:…}}` directives. It leaves out `{{file_silent:…}}`, whose file may be missing, and `\\{{`, which is
 * text.
 */
function includesOf(text: string): { path: string; at: number }[] {
  if (!text.includes('{{file')) return [];
  const found: { path: string; at: number }[] = [];
  let brace = -1;
  let from = 0;
  for (const match of text.matchAll(includeStart)) {
    if (match.index < from) continue;
    const [whole, backslash, name] = match;
    const start = match.index + whole.length;
    // The position is kept, so that many directives do not search again.
    if (brace < start) brace = text.indexOf('}', start);
    if (brace === -1) break;
    if (text.charAt(brace + 1) !== '}') continue;
    const path = text.slice(start, brace);
    from = brace + 2;
    const mayBeMissing = name === 'file_silent' && !path.startsWith('/');
    if (backslash !== '\\' && !mayBeMissing) found.push({ path, at: match.index });
  }
  return found;
}
