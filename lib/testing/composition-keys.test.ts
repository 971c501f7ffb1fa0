import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * The Enter that ends an input method's word must do nothing else. `components/shell/composition-keys.ts` stops such a key when it goes
 * down, in the window, so no field has a rule for it. A key that goes up says no more that it belonged to the input method.
 */
test('no component reacts to a key that goes up', () => {
  const files = ['app', 'components'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const code = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
  expect(code.length).toBeGreaterThan(500);
  expect(code.filter((file) => /\bonKeyUp\b|['"]keyup['"]/.test(readFileSync(file, 'utf8')))).toEqual([]);
});
