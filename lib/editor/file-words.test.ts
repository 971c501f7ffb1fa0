import { expect, test } from 'vitest';
import { fileFacts, fileWord, isPicture } from './file-words';

test('a file that is not text is called by the ending of its name', () => {
  const paths = ['logo.PNG', 'docs/report.pdf', 'bell.wav', 'all.zip', 'model.onnx', 'data', 'a.verylongending'];
  expect(paths.map(fileWord)).toEqual([
    'PNG image',
    'PDF document',
    'WAV sound',
    'ZIP archive',
    'ONNX file',
    'Binary file',
    'Binary file',
  ]);
  expect(fileFacts('logo.png', { kind: 'stored', hash: '', size: 12_000 })).toBe('PNG image, 12 kB');
  expect(['a.png', 'b.JPG', 'c.pdf', 'png'].map(isPicture)).toEqual([true, true, false, false]);
});
