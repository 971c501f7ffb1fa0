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

test('a finished run is shown without the fold, and texts are shown without what hides secrets in them', () => {
  const later = ['lib/trace/fold.ts', 'lib/trace/payloads.ts', 'lib/base/redact.ts', 'lib/trace/json-diff.ts'];
  expect(later.filter((file) => files.has(file))).toEqual([]);
});
