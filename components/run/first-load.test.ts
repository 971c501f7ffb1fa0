import { expect, test } from 'vitest';
import { staticImports } from '@/lib/testing/static-imports';

const { files, packages } = staticImports('app/r/[run]/run-client.tsx');

test('the run page loads no schemas, no YAML reader and no menus before they are needed', () => {
  expect([...packages.keys()].sort()).toEqual([
    'lucide-react',
    'next/link',
    'next/navigation',
    'radix-ui',
    'react',
    'react-dom',
  ]);
  expect(files.size).toBeGreaterThan(80);
  const parts = [...files].filter(
    (file) => file.startsWith('components/ui/') && /(?<!later-)menu|dialog|picker|(?<!plain-)select/.test(file),
  );
  expect(parts).toEqual([]);
});

test('neither the run page nor what every page has loads the library of schemas', () => {
  const loaded = ['app/r/[run]/run-client.tsx', 'app/key-services.tsx', 'app/people-services.tsx'].flatMap((file) => [
    ...staticImports(file).packages.keys(),
  ]);
  expect(loaded.filter((name) => name.startsWith('zod'))).toEqual([]);
});

test('what every page loads for an error is no page yet', () => {
  const { files: first } = staticImports('app/error.tsx');
  expect([...first].filter((file) => /button|empty-state|error-view/.test(file))).toEqual([]);
});

test('the list of runs loads no schemas, and menus and dialogs when they are opened', () => {
  const list = staticImports('app/runs/runs-client.tsx');
  expect([...list.packages.keys()].filter((name) => name.startsWith('zod'))).toEqual([]);
  expect([...list.files].filter((file) => /ui\/(menu|select|.*dialog)\.tsx$/.test(file))).toEqual([]);
});

test('the list of projects loads its menus and dialogs when they are opened', () => {
  const { files: first } = staticImports('app/projects-client.tsx');
  expect([...first].filter((file) => /ui\/(menu|select|.*dialog)\.tsx$/.test(file))).toEqual([]);
});

test('the page of servers reads files of projects when a project is opened', () => {
  expect([...staticImports('app/settings/servers/servers-client.tsx').packages.keys()]).not.toContain('yaml');
});

test('a finished run is shown without the fold and the words of later parts, and texts without what hides secrets in them', () => {
  const later = [
    'components/marks/kind-icon.tsx',
    'components/replay/transport-bar.tsx',
    'components/run/history-list.tsx',
    'components/run/run-key-help.tsx',
    'components/timeline/bars-canvas.tsx',
    'components/timeline/overview.tsx',
    'components/timeline/paint-bars.ts',
    'components/timeline/paint-labels.ts',
    'components/timeline/span-words.ts',
    'components/timeline/timeline-head.tsx',
    'components/timeline/timeline.tsx',
    'components/timeline/walk.ts',
    'lib/base/redact.ts',
    'lib/cards/models/providers.ts',
    'lib/client/more-places.ts',
    'lib/trace/columns.ts',
    'lib/trace/decisions.ts',
    'lib/trace/figures.ts',
    'lib/trace/fold-spans.ts',
    'lib/trace/fold.ts',
    'lib/trace/json-diff.ts',
    'lib/trace/live-texts.ts',
    'lib/trace/moment-trace.ts',
    'lib/trace/payloads.ts',
    'lib/trace/run-filter.ts',
    'lib/trace/run-group.ts',
    'lib/trace/usage.ts',
    'lib/trace/window-trace.ts',
  ];
  expect(later.filter((file) => files.has(file))).toEqual([]);
});
