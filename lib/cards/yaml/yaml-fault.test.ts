import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { explainFault, firstFault } from './yaml-fault';

function faultOf(text: string): string {
  const doc = parseDocument(text, { version: '1.1', schema: 'failsafe', prettyErrors: false, logLevel: 'error' });
  const [warning] = doc.warnings;
  return firstFault(doc, text)?.message ?? (warning === undefined ? 'no fault' : explainFault(warning));
}

test.each([
  ['a: 1\na: 2', 'This key is written twice. Remove one of them.'],
  ['a: "\\q"', 'A backslash in double quotes begins an escape'],
  ['a: @b', 'A value cannot begin with this character. Put the value in quotes.'],
  ['a: `b`', 'A value cannot begin with this character. Put the value in quotes.'],
  ['a: "b"#c', "A comment needs a space before '#'."],
  ['a: ["b" "c"]', 'A comma is missing between two values.'],
  ['a: &x &y b', 'A value has two anchors (&name). Keep one.'],
  ['a: !x !y b', 'A value has two tags (!name). Keep one.'],
  ['a: !x b', 'The tag !x cannot be read here.'],
  ['a:\n  - b\n - c', 'The dashes of a list must be below each other.'],
  ['a:\n  - b\n  c', 'This line is indented differently from those beside it.'],
  ['a: b\n  c: d', 'This line is indented too far to be a key.'],
  ['a: b: c', "A value with ': ' inside looks like another key. Put the value in quotes."],
  ['a: &x\nb: &y *x', 'An alias (*name) cannot have an anchor or a tag of its own.'],
  ['a: [b,,c]', 'This character cannot stand here.'],
  ['a: ]', 'This character cannot stand here.'],
  ['a: "b" c', 'This character cannot stand here.'],
  ['a\nb: c', "This line is not 'key: value'."],
  ['a:\n  b: 1\n c: 2', 'This line is indented differently from those beside it.'],
  ['a: |\n\n     \n  b\n', 'An empty line below | or > has more spaces than the text.'],
  ['a: >x\n b', 'Behind | or > nothing but +, - or a digit may stand.'],
  ['%YAML 1.1\na: b', "A line '---' is missing behind the lines that start with %."],
  ['a: & co', 'A value that starts with & needs quotes.'],
  ['{ "a" "b" }', 'A comma or a colon is missing between two values.'],
  ['--- a: b', "Values cannot begin on the line of '---'."],
])('%j is explained by what to write', (text, said) => {
  expect(faultOf(text)).toContain(said);
});

test('no sentence is that of the parser', () => {
  const ends = [
    '{',
    '[',
    ']',
    '}',
    ',',
    ':',
    '-',
    '?',
    '!',
    '&',
    '*',
    '#',
    '|',
    '>',
    '@',
    '`',
    '"',
    "'",
    '%',
    '\t',
    'a',
    ' ',
    '\n',
  ];
  for (const one of ends) {
    for (const two of ends) {
      for (const three of ends) {
        const said = faultOf(`a: ${one}${two}b${three}\n`);
        expect(said).toMatch(/^no fault$|\.$/);
        expect(said).not.toMatch(/flow|scalar|indicator|token|implicit|node|sequence|map /i);
      }
    }
  }
});
