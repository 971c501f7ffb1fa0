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

/** Says what is wrong at the place of a fault, and what to write there. */
export function explainFault({ code, message }: YAMLError): string {
  if (code === 'TAG_RESOLVE_FAILED') return tagFault(message);
  if (code === 'MISSING_CHAR') return missingFault(message);
  if (code === 'BAD_INDENT') return indentFault(message);
  if (code === 'BAD_ALIAS' && /^Anchor/.test(message)) return 'A value that starts with & needs quotes. Add them.';
  if (code === 'BLOCK_AS_IMPLICIT_KEY' && /sequence/.test(message)) return dashes;
  if (code === 'UNEXPECTED_TOKEN' && /^Block scalar header/.test(message))
    return 'Behind | or > nothing but +, - or a digit may stand. Put the text on the next line.';
  return sentences[code];
}

const dashes = 'The dashes of a list must be below each other. Indent this one like the others.';

const sentences: Record<Exclude<YAMLError['code'], 'TAG_RESOLVE_FAILED' | 'MISSING_CHAR' | 'BAD_INDENT'>, string> = {
  ALIAS_PROPS: 'An alias (*name) cannot have an anchor or a tag of its own. Remove it.',
  BAD_ALIAS: 'An alias (*name) has no such anchor (&name). Put a value that starts with * in quotes.',
  BAD_COLLECTION_TYPE: 'This tag is for another kind of value. Remove the tag.',
  BAD_DIRECTIVE: 'A line that starts with % is a directive, and this one is not known. Put the value in quotes.',
  BAD_DQ_ESCAPE:
    'A backslash in double quotes begins an escape that does not exist. Write \\\\ for a backslash, or use single quotes.',
  BAD_PROP_ORDER: "An anchor (&name) or tag (!name) stands before '-', '?' or ':'. Put it behind.",
  BAD_SCALAR_START: 'A value cannot begin with this character. Put the value in quotes.',
  BLOCK_AS_IMPLICIT_KEY: "A value with ': ' inside looks like another key. Put the value in quotes.",
  BLOCK_IN_FLOW: 'Inside { } or [ ], a value cannot be a list with dashes or a block of keys. Use brackets there too.',
  DUPLICATE_KEY: 'This key is written twice. Remove one of them.',
  IMPOSSIBLE: 'This is not YAML. Correct this place.',
  KEY_OVER_1024_CHARS: 'A key is longer than 1024 characters. Put a long value in quotes, or make the key shorter.',
  MULTILINE_IMPLICIT_KEY: "This line is not 'key: value'. Add the colon, or indent it below the key it belongs to.",
  MULTIPLE_ANCHORS: 'A value has two anchors (&name). Keep one.',
  MULTIPLE_DOCS: "A second document starts here. Remove the line '---'.",
  MULTIPLE_TAGS: 'A value has two tags (!name). Keep one.',
  NON_STRING_KEY: 'A key must be text. Put it in quotes.',
  RESOURCE_EXHAUSTION: 'The values are nested too deeply to be read. Write them flatter.',
  TAB_AS_INDENT: 'A tab is used as indentation. Use spaces.',
  UNEXPECTED_TOKEN: 'This character cannot stand here. Put the value in quotes, or remove the character.',
};

/** The parser has one code for all characters that are missing, and says in words which. */
function missingFault(message: string): string {
  if (/comment/i.test(message)) return "A comment needs a space before '#'. Add it, or put the value in quotes.";
  if (/closing .*quote/i.test(message)) return 'A quote that opens here is not closed.';
  if (/space after :/.test(message)) return "A space is missing after ':'. Add it, or put the value in quotes.";
  if (/^Missing , or : between flow map/.test(message))
    return 'A comma or a colon is missing between two values. Add it.';
  if (/^Missing ,/.test(message)) return 'A comma is missing between two values. Add it, or put the value in quotes.';
  if (/indicator/.test(message) && /Sequence/i.test(message)) return "This item has no dash. Begin it with '- '.";
  if (/^Implicit map keys/.test(message))
    return "A key has no ':' behind it. Add it, or indent the line below its key.";
  if (/tags? and anchors?/i.test(message)) return 'A tag or an anchor needs a space behind it. Add it.';
  if (/^Block scalars/.test(message))
    return 'An empty line below | or > has more spaces than the text. Remove its spaces.';
  if (/^Missing directives-end/.test(message))
    return "A line '---' is missing behind the lines that start with %. Add it.";
  if (/directives-end/.test(message)) return "Values cannot begin on the line of '---'. Put them on the next line.";
  return 'A character is missing here. Put the value in quotes, or complete it.';
}

function indentFault(message: string): string {
  if (/sequence/i.test(message)) return dashes;
  if (/Block scalar/.test(message))
    return 'The text below | or > is indented less than its first line. Indent its lines alike.';
  return 'This line is indented differently from those beside it. Indent it like them.';
}

function tagFault(message: string): string {
  const name = /(![^\s]*|tag:[^\s]+)/.exec(message)?.[1];
  const tag = name === undefined ? 'A tag' : `The tag ${name}`;
  return `${tag} cannot be read here. Remove it, or put a value that starts with ! in quotes.`;
}
