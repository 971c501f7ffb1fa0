import { type Document, isCollection, isScalar, type ParsedNode, visit, type YAMLError } from 'yaml';

type Parsed = Document.Parsed<ParsedNode>;

/**
 * Returns the fault to report: the first one, or its cause. The cause may be an earlier quote or bracket that is never
 * closed, or a later line that is indented too far.
 */
export function firstFault(doc: Parsed, text: string): { message: string; offset: number } | undefined {
  const [first] = doc.errors;
  if (first === undefined) return undefined;
  const unclosed = doc.errors.find(isUnclosed);
  if (unclosed !== undefined) {
    const offset = openingOf(unclosed.pos[0], doc);
    if (offset <= first.pos[0]) return { message: 'A quote or bracket that opens here is not closed.', offset };
  }
  const strayKey = strayKeyOf(first, doc, text);
  if (strayKey !== undefined) {
    return {
      message: 'This line is indented too far to be a key. Indent it like the keys beside it.',
      offset: strayKey,
    };
  }
  return { message: explainFault(first), offset: first.pos[0] };
}

/**
 * Finds a key that is indented too far. For `name: a` and below it `  model: b` the parser reads both lines as one value
 * and reports its start, but the last line is at fault.
 */
function strayKeyOf(first: YAMLError, doc: Parsed, text: string): number | undefined {
  if (first.code !== 'BLOCK_AS_IMPLICIT_KEY') return undefined;
  const over = doc.errors.find(({ code, pos }) => code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === first.pos[0]);
  if (over === undefined) return undefined;
  const lineStart = text.lastIndexOf('\n', over.pos[1] - 1) + 1;
  return lineStart + text.slice(lineStart).search(/[^ ]/);
}

function isUnclosed({ code, message }: YAMLError): boolean {
  return (code === 'MISSING_CHAR' || code === 'BAD_INDENT') && /closing|Flow/.test(message);
}

/** Returns the position of the unclosed quote or bracket. The parser reports the end of the text. */
function openingOf(noticed: number, doc: Parsed): number {
  let opened = noticed;
  visit(doc, {
    Node(_, node) {
      const isOpen = (isScalar(node) && /^QUOTE/.test(node.type ?? '')) || (isCollection(node) && node.flow === true);
      const [start, , end] = node.range ?? [noticed, noticed, noticed];
      if (isOpen && start < noticed && end >= noticed) opened = start;
    },
  });
  return opened;
}

/** Returns the message of the parser, or a clearer one. */
export function explainFault({ code, message }: YAMLError): string {
  switch (code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
      return "A value with ': ' inside looks like another key. Put the value in quotes.";
    case 'TAB_AS_INDENT':
      return 'A tab is used as indentation. Use spaces.';
    case 'MULTILINE_IMPLICIT_KEY':
      return "This line is not 'key: value'. Add the colon, or indent it below the key it belongs to.";
    case 'BAD_ALIAS':
      return 'An alias (*name) has no such anchor (&name). Put a value that starts with * in quotes.';
    case 'MULTIPLE_DOCS':
      return "A second document starts here. Remove the line '---'.";
    default:
      return sentence(message);
  }
}

function sentence(message: string): string {
  const text = message.trim().replace(/:$/, '');
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
