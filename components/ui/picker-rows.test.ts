import { expect, it } from 'vitest';
import {
  drawnRows,
  firstMarked,
  isSelectable,
  markedAfter,
  noteOf,
  type PickerContent,
  type PickerRow,
  pickerRows,
  rowTops,
  scrollToRow,
} from './picker-rows';

const agents: PickerContent = {
  options: [
    { value: 'copy-writer', label: 'copy-writer', note: 'Writes the text' },
    { value: 'writer', label: 'writer', note: 'Drafts' },
    { value: 'underwriter', label: 'underwriter' },
    { value: 'critic', label: 'critic', note: 'Reads what the writer wrote' },
  ],
};

/** Writes rows as one line each, such as `# Servers`, `writer`, `+ Create agent 'x'`. */
function shown(rows: readonly PickerRow[]): string[] {
  return rows.map((row) => {
    if (row.kind === 'option') return row.option.label;
    if (row.kind === 'heading') return `# ${row.group}`;
    if (row.kind === 'typed') return `"${row.text}"`;
    return `${row.kind === 'none' ? '-' : '+'} ${row.label}`;
  });
}

it('an action may come before the options, and an option with a word that begins so is marked all the same', () => {
  const label = (typed: string) => (typed === '' ? undefined : `New agent '${typed}'`);
  const content: PickerContent = { ...agents, first: [{ label, onSelect: () => {} }] };
  const marked = (typed: string) => {
    const rows = pickerRows(content, typed);
    return shown(rows)[firstMarked(rows, typed, new Set())];
  };
  expect(shown(pickerRows(content, 'poet'))).toEqual(["+ New agent 'poet'"]);
  expect(shown(pickerRows(content, 'wri')).slice(0, 2)).toEqual(["+ New agent 'wri'", 'writer']);
  expect([marked(''), marked('poet'), marked('wri'), marked('copy wr'), marked('text')]).toEqual([
    'copy-writer',
    "+ New agent 'poet'",
    'writer',
    "+ New agent 'copy wr'",
    "+ New agent 'text'",
  ]);
});

it('the best match comes first: the name, its start, a word in it, a part of it, the note', () => {
  expect(shown(pickerRows(agents, ' Writer '))).toEqual(['writer', 'copy-writer', 'underwriter', 'critic']);
  expect(shown(pickerRows(agents, 'text copy'))).toEqual(['copy-writer']);
  expect(shown(pickerRows(agents, 'nobody'))).toEqual([]);
  expect(shown(pickerRows(agents, ''))).toEqual(['copy-writer', 'writer', 'underwriter', 'critic']);
});

it('options stand below their groups, which keep their order until a search ranks them', () => {
  const content = {
    options: [
      { value: 'a.md', label: 'a.md', group: 'Cards' },
      { value: 'tools.py', label: 'tools.py', group: 'Code' },
      { value: 'b.md', label: 'b.md', group: 'Cards' },
    ],
  };
  expect(shown(pickerRows(content, ''))).toEqual(['# Cards', 'a.md', 'b.md', '# Code', 'tools.py']);
  expect(shown(pickerRows(content, 'code'))).toEqual(['# Code', 'tools.py']);
});

it('nothing, the typed text and actions are rows around the options', () => {
  const content: PickerContent = {
    ...agents,
    none: 'None',
    freeText: true,
    actions: [
      { label: (typed) => (typed === '' ? 'New agent…' : `Create agent '${typed}'`), onSelect: () => {} },
      { label: (typed) => (typed === 'crit' ? 'Only here' : undefined), onSelect: () => {} },
    ],
  };
  expect(shown(pickerRows(content, '')).filter((row) => /^[-+"]/.test(row))).toEqual(['- None', '+ New agent…']);
  expect(shown(pickerRows(content, 'crit'))).toEqual(['critic', '"crit"', "+ Create agent 'crit'", '+ Only here']);
  const noted = pickerRows(
    { options: [], actions: [{ label: () => 'New', note: (typed) => typed, onSelect: () => {} }] },
    'x',
  );
  expect([noted.map(noteOf), rowTops(noted)]).toEqual([['x'], [0, 44]]);
  // The text of an option is that option.
  expect(shown(pickerRows(content, 'critic'))).toEqual(['critic', "+ Create agent 'critic'"]);
});

it('keys mark the next row that can be chosen, and the arrows go round', () => {
  const rows = pickerRows(
    {
      options: [
        { value: 'a', label: 'a', group: 'One' },
        { value: 'b', label: 'b', group: 'One', disabled: true },
        { value: 'c', label: 'c', group: 'Two' },
      ],
    },
    '',
  );
  expect(rows.map(isSelectable)).toEqual([false, true, false, false, true]);
  expect(firstMarked(rows, '', new Set(['c']))).toBe(4);
  expect(firstMarked(rows, '', new Set(['b']))).toBe(1);
  expect(firstMarked(rows, 'x', new Set(['c']))).toBe(1);
  expect(firstMarked([], '', new Set())).toBe(-1);
  expect(markedAfter('ArrowDown', rows, 1)).toBe(4);
  expect(markedAfter('ArrowDown', rows, 4)).toBe(1);
  expect(markedAfter('ArrowUp', rows, 1)).toBe(4);
  expect(markedAfter('ArrowUp', rows, -1)).toBe(4);
  expect(markedAfter('PageDown', rows, 1)).toBe(4);
  expect(markedAfter('PageUp', rows, 4)).toBe(1);
  expect(markedAfter('x', rows, 1)).toBeUndefined();
  expect(markedAfter('ArrowDown', [], -1)).toBeUndefined();
});

it('a long list draws the rows in view and a few around them, wherever it is scrolled', () => {
  const many = Array.from({ length: 1000 }, (_, n) => ({
    value: `${n}`,
    label: `agent ${n}`,
    ...(n % 3 === 0 ? { note: 'A note' } : {}),
  }));
  const tops = rowTops(pickerRows({ options: many }, ''));
  const height = tops.at(-1) ?? 0;
  for (let scroll = 0; scroll <= height; scroll += 37) {
    const [from, to] = drawnRows(tops, scroll, 288);
    expect(to - from).toBeLessThan(40);
    for (const at of [scroll, Math.min(scroll + 287, height - 1)]) {
      expect(tops[from]).toBeLessThanOrEqual(at);
      expect(tops[to]).toBeGreaterThan(Math.min(at, height - 1));
    }
  }
  const few = rowTops(pickerRows({ options: many.slice(0, 200) }, ''));
  expect(drawnRows(few, 0, 288)).toEqual([0, 200]);
  expect(drawnRows(rowTops([]), 0, 288)).toEqual([0, 0]);
});

it('the list scrolls no further than the marked row needs', () => {
  const tops = [0, 30, 60, 90, 120];
  expect(scrollToRow(tops, 1, 0, 60)).toBe(0);
  expect(scrollToRow(tops, 3, 0, 60)).toBe(60);
  expect(scrollToRow(tops, 0, 45, 60)).toBe(0);
});

it('marks an option that does something else only if there is nothing else', () => {
  const content = {
    options: [
      { value: 'openai', label: 'OpenAI', words: 'gpt-5-mini', isAside: true },
      { value: 'mini', label: 'mini' },
    ],
    freeText: true,
  };
  const marked = (typed: string) => {
    const rows = pickerRows(content, typed);
    const row = rows[firstMarked(rows, typed, new Set())];
    return row?.kind === 'option' ? row.option.value : row?.kind;
  };
  expect([marked('gpt-5-mini'), marked('mini'), marked('')]).toEqual(['typed', 'mini', 'mini']);
  const alone = pickerRows({ options: content.options.slice(0, 1) }, 'gpt-5-mini');
  expect(isSelectable(alone[firstMarked(alone, 'gpt-5-mini', new Set())])).toBe(true);
});
