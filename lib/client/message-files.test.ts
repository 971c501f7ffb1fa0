import { expect, test } from 'vitest';
import { mostFileBytes, mostFiles } from '@/lib/base/conversation';
import { type ChosenFile, fittingFiles, messageFile } from './message-files';

const offered = (name: string, size = 10) => ({ name, size, type: 'text/plain' });
const chosen = (name: string, bytes = 10): ChosenFile => ({
  name,
  bytes,
  file: { name, mediaType: 'text/plain', text: 'x' },
});

test('files that do not fit are refused by name, and the others are attached', () => {
  const { fitting, refusals } = fittingFiles(
    [chosen('a.txt', mostFileBytes - 100)],
    [offered('a.txt'), offered('empty', 0), offered('big.bin', 101), offered('b.txt', 100), offered('b.txt', 1)],
  );
  expect(fitting.map(({ name }) => name)).toEqual(['b.txt']);
  expect(refusals).toEqual([
    "'a.txt' is attached already. Remove it first, or rename one of them.",
    "'empty' is empty, or a folder. Attach files with something in them.",
    "'big.bin' is not attached: the files of a message have at most 10 MB together.",
    "'b.txt' is attached already. Remove it first, or rename one of them.",
  ]);
});

test('a message has a bounded number of files', () => {
  const many = Array.from({ length: mostFiles + 1 }, (_, i) => offered(`${i}.txt`, 1));
  const { fitting, refusals } = fittingFiles([], many);
  expect(fitting.length).toBe(mostFiles);
  expect(refusals).toEqual([`'${mostFiles}.txt' is not attached: a message has at most ${mostFiles} files.`]);
});

test('a text stays a text, and anything else is base64', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  expect(messageFile('a.md', '', bytes('# Ä'))).toEqual({ name: 'a.md', mediaType: 'text/markdown', text: '# Ä' });
  expect(messageFile('a.csv', 'text/csv; charset=utf-8', bytes('a,b'))).toEqual({
    name: 'a.csv',
    mediaType: 'text/csv',
    text: 'a,b',
  });
  expect(messageFile('a.svg', '', bytes('<svg/>'))).toEqual({
    name: 'a.svg',
    mediaType: 'image/svg+xml',
    data: btoa('<svg/>'),
  });
  const binary = new Uint8Array(100_000).fill(200);
  expect(messageFile('a.bin', '', binary)).toEqual({
    name: 'a.bin',
    mediaType: 'application/octet-stream',
    data: Buffer.from(binary).toString('base64'),
  });
});
