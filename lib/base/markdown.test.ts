import { expect, test } from 'vitest';
import { type MarkdownNode, readMarkdown } from './markdown';

/** Writes a tree in one line: `kind(children)`, texts in quotes. */
function shown(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) => {
      if (node.kind === 'text') return JSON.stringify(node.text);
      if (node.kind === 'code') return `code ${JSON.stringify(node.text)}`;
      if (node.kind === 'fence') return `fence ${node.language} ${JSON.stringify(node.text)}`;
      if (!('children' in node)) return node.kind;
      const more =
        node.kind === 'heading'
          ? node.level
          : node.kind === 'list'
            ? (node.start ?? '')
            : node.kind === 'item'
              ? (node.done ?? '')
              : node.kind === 'link'
                ? node.href
                : '';
      return `${[node.kind, more].join(' ').trim()}(${shown(node.children)})`;
    })
    .join(' ');
}
const read = (text: string) => shown(readMarkdown(text));

test('blocks: headings, paragraphs, quotations, code, rules', () => {
  expect(read('## A *b*\n\none\ntwo\n\n> quote\n> more\n\n---')).toBe(
    'heading 2("A " emphasis("b")) paragraph("one\\ntwo") quote(paragraph("quote\\nmore")) rule',
  );
  expect(read('```js\nf(\n  1)\n```\n\n    indented\n      more')).toBe(
    'fence js "f(\\n  1)" fence  "indented\\n  more"',
  );
});

test('lists: nested, numbered from any number, with tasks and code', () => {
  expect(read('- one\n  two\n  - deep\n\n3. c\n4. d')).toBe(
    'list(item(paragraph("one\\ntwo") list(item(paragraph("deep"))))) list 3(item(paragraph("c")) item(paragraph("d")))',
  );
  expect(read('- [x] done\n- [ ] open\n\n  ```\n  a\n    b\n  ```')).toBe(
    'list(item true(paragraph("done")) item false(paragraph("open") fence  "a\\n  b"))',
  );
});

test('a table has a head row', () => {
  expect(read('| a | b |\n|---|---|\n| 1 | `2` |')).toBe(
    'table(row(cell("a") cell("b")) row(cell("1") cell(code "2")))',
  );
});

test('words: emphasis, code, escapes, entities, hard breaks', () => {
  expect(read('**a** _b_ ~~c~~ `` x ` y `` \\* &amp; &unknown;')).toBe(
    'paragraph(strong("a") " " emphasis("b") " " strike("c") " " code "x ` y" " * & &unknown;")',
  );
  expect(read('a  \nb')).toBe('paragraph("a" break "b")');
});

test('links go to the web and to mail alone, and images are links', () => {
  expect(read('[a **b**](http://x.y "title") ![pic](https://i/p.png) <https://z> a@b.de')).toBe(
    'paragraph(link http://x.y("a " strong("b")) " " link https://i/p.png("pic") " " link https://z("https://z") " " link mailto:a@b.de("a@b.de"))',
  );
  for (const text of [
    '[a](javascript:alert(1))',
    '[a](data:text/html,x)',
    '[a](/settings)',
    'see [1]',
    '[a]: http://x',
  ]) {
    expect(read(text)).toBe(`paragraph(${JSON.stringify(text)})`);
  }
});

test('HTML is text', () => {
  expect(read('<img src=x onerror=alert(1)>')).toBe('paragraph("<img src=x onerror=alert(1)>")');
  expect(read('a <b>c</b>')).toBe('paragraph("a <b>c</b>")');
});

test('a half text, no text and very deep nesting are read', () => {
  expect(read('**half `code')).toBe('paragraph("**half `code")');
  expect(read('```\nnot closed')).toBe('fence  "not closed"');
  expect(read('')).toBe('');
  expect(read(`${'> '.repeat(500)}deep`)).toContain('deep');
  expect(read(`${'*a '.repeat(2_000)}`)).toContain('a');
});
