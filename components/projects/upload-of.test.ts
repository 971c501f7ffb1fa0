import { expect, test } from 'vitest';
import type { Source } from '@/lib/client/source-files';
import { uploadOf } from './upload-of';

const file = new Blob(['text']);

function sourceOf(name: string | undefined, ...paths: string[]): Source<Blob> {
  return { name, files: paths.map((path) => ({ path, file })), leftOut: [] };
}

test('a single zip is sent as a zip, in capital letters too', () => {
  expect(uploadOf(sourceOf(undefined, 'office.zip'))).toEqual({ kind: 'zip', name: 'office.zip', file });
  expect(uploadOf(sourceOf(undefined, 'OFFICE.ZIP'))).toEqual({ kind: 'zip', name: 'OFFICE.ZIP', file });
});

test.each([
  ['a card', sourceOf(undefined, 'lead.md')],
  ['a zip beside a card', sourceOf(undefined, 'lead.md', 'office.zip')],
  ['a folder that holds only a zip', sourceOf('data', 'office.zip')],
  ["fast-agent's home folder that holds only a zip", sourceOf(undefined, '.fast-agent/office.zip')],
  ['a name that only begins like a zip', sourceOf(undefined, 'office.zip.md')],
])('%s is sent as files', (_, source) => {
  expect(uploadOf(source)).toEqual({ kind: 'files', source });
});

test('nothing is sent for nothing', () => {
  expect(uploadOf(sourceOf('empty'))).toBeUndefined();
});
