import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const places = [
  'app',
  'bench',
  'bin',
  'components',
  'docs',
  'e2e',
  'examples',
  'lib',
  'prisma',
  'README.md',
  'CHANGELOG.md',
];
const readable = /\.(?:[cm]?[jt]sx?|md|py|ya?ml|css|prisma)$/;
const generated = /(?:^|\/)(?:node_modules|generated|kept)\//;

/** The title of a test: the first argument of a call, before options or a function. */
const title = /\(\s*(['"`])(.*?)\1,\s*(?:async\b|[({_a-z])/g;
/** R-107, ADK-23 or S9. */
const rowId = /\b(?:(?:ADK|AS|LD|[CEFPR])-\d+[a-z]?|S\d{1,2})\b/g;

test('the words that CONTRIBUTING.md replaces are in no file', () => {
  const words = wordsToAvoid();
  expect(words.length).toBeGreaterThan(5);
  const pattern = new RegExp(`\\b(?:${words.join('|')})\\b`, 'gi');
  const found = files().flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return [...text.matchAll(pattern)].map((match) => `${file}:${lineOf(text, match.index)}: ${match[0]}`);
  });
  expect(found).toEqual([]);
});

test('titles of tests say what happens, without ids of rows in a list elsewhere', () => {
  expect('says R-107 and S9'.match(rowId)).toEqual(['R-107', 'S9']);
  const tests = files().filter((file) => /\.(?:test|spec)\.tsx?$/.test(file));
  expect(tests.length).toBeGreaterThan(500);
  const found = tests.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return [...text.matchAll(title)]
      .filter(([, , words = '']) => words.match(rowId))
      .map(([line]) => `${file}: ${line}`);
  });
  expect(found).toEqual([]);
});

/** Returns the words in the first column of the table of CONTRIBUTING.md, each in backticks. */
function wordsToAvoid(): string[] {
  const page = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
  const [, table = ''] = page.split('| instead of | write |');
  const rows = table.split('\n\n')[0] ?? '';
  return rows.split('\n').flatMap((row) => {
    const [, avoided = ''] = row.split('|');
    return [...avoided.matchAll(/`([a-z ]+)`/g)].map(([, word = '']) => word);
  });
}

function files(): string[] {
  return places
    .flatMap((place) => (readable.test(place) ? [place] : below(place)))
    .filter((file) => readable.test(file) && !generated.test(file));
}

function below(folder: string): string[] {
  const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  return names.map((name) => path.posix.join(folder, name.replaceAll('\\', '/')));
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
