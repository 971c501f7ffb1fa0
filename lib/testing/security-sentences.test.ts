import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/*
 * Each sentence of the pages about security has a test, or a reason why it has none: security-sentences.txt lists them by paragraph, item and
 * row. Whoever changes a page changes the list, and the test with it. The rules below *Tests of attacks* name their tests on the page.
 */

const listed = readFileSync('lib/testing/security-sentences.txt', 'utf8').split('\n# docs/').slice(1);

/** Returns the paragraphs, the items and the rows of a page, each in one line, without headings and heads of tables. */
function partsOf(page: string): string[] {
  const parts: string[] = [];
  let isOpen = false;
  for (const line of page.split('\n')) {
    const isRow = line.startsWith('|');
    if (line === '' || line.startsWith('#')) isOpen = false;
    else if (/^\|( *-+ *\|)+$/.test(line)) parts.pop();
    else if (isOpen && !isRow && !line.startsWith('- ')) parts.push(`${parts.pop()} ${line.trim()}`);
    else {
      parts.push(line);
      isOpen = !isRow;
    }
  }
  return parts;
}

/** How the list names a part of a page. */
function nameOf(part: string): string {
  const sentences = part.match(/[.?:!](?=\s|$|\*\*)/g)?.length ?? 1;
  return `${part.slice(0, 56).trimEnd()} … (${sentences})`;
}

const pages = listed.map((section) => {
  const [file = '', ...lines] = section.split('\n');
  const entries = lines
    .filter((line) => line !== '' && !line.startsWith('## '))
    .map((line) => /^(.* … \(\d+\)): (.+)$/.exec(line) ?? [line, line]);
  return { file, names: entries.map(([, name]) => name), proofs: entries.map(([, , proof = '']) => proof) };
});

test('the list is about three pages', () => {
  expect(pages.map(({ file }) => file)).toEqual(['security.md', 'security-reach.md', 'limits.md']);
});

test.each(pages)('each part of docs/$file is in the list, with as many sentences', ({ file, names }) => {
  const page = readFileSync(`docs/${file}`, 'utf8').replace(/\n## Tests of attacks\n[\s\S]*?(?=\n## )/, '\n');
  expect(names).toEqual(partsOf(page).map(nameOf));
});

test.each(pages)('what the list names for docs/$file are tests that exist, or reasons', ({ proofs }) => {
  const files = proofs.filter((proof) => !/^no test, \w/.test(proof)).flatMap((proof) => proof.split(' '));
  expect(files.filter((file) => !/\.(?:test|spec)\.tsx?$/.test(file) || !existsSync(file))).toEqual([]);
});
