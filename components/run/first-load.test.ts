import { expect, test } from 'vitest';
import { staticImports } from '@/lib/testing/static-imports';

const { files, packages } = staticImports('components/run/run-view.tsx');

test('the run page loads no schemas, no YAML reader and no menus before they are needed', () => {
  expect([...packages.keys()].sort()).toEqual(['lucide-react', 'next/link', 'radix-ui', 'react', 'react-dom']);
  expect(files.size).toBeGreaterThan(80);
  const parts = [...files].filter(
    (file) => file.startsWith('components/ui/') && /menu|dialog|picker|select/.test(file),
  );
  expect(parts).toEqual([]);
});

test('neither the run page nor what every page has loads the library of schemas', () => {
  const loaded = ['app/r/[run]/run-client.tsx', 'app/key-services.tsx', 'app/people-services.tsx'].flatMap((file) => [
    ...staticImports(file).packages.keys(),
  ]);
  expect(loaded.filter((name) => name.startsWith('zod'))).toEqual([]);
});

test('the list of runs loads the small library of schemas only', () => {
  expect([...staticImports('app/runs/runs-client.tsx').packages.keys()]).not.toContain('zod');
});

test('a finished run is shown without the fold, and texts are shown without what hides secrets in them', () => {
  const later = ['lib/trace/fold.ts', 'lib/trace/payloads.ts', 'lib/base/redact.ts', 'lib/trace/json-diff.ts'];
  expect(later.filter((file) => files.has(file))).toEqual([]);
});
