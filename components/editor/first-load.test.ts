import { expect, test } from 'vitest';
import { staticImports } from '@/lib/testing/static-imports';

const { files, packages } = staticImports('components/editor/project-editor.tsx');

test('the editor loads what a person opens when it is opened', () => {
  const later = [
    'components/code-editor/code-editor.tsx',
    'components/editor/find-body.tsx',
    'components/hooks/add-hook.tsx',
    'components/inspector/agent-form.tsx',
    'components/last-run/last-call-card.tsx',
    'components/revisions/publish-dialog.tsx',
    'components/run-dock/export-dialog.tsx',
    'components/run-dock/problems-tab.tsx',
    'components/timeline/timeline.tsx',
    'components/trust/trust-question.tsx',
    'lib/cards/export/export-for-fast-agent.ts',
    'lib/editor/code-fixes.ts',
    'lib/trace/fold.ts',
  ];
  expect(later.filter((file) => files.has(file))).toEqual([]);
  expect(files.has('components/canvas/canvas.tsx')).toBe(true);
});

test('the editor loads no package that only the server or an opened dialog needs', () => {
  expect(['cmdk', 'fflate', 'lru-cache'].filter((name) => packages.has(name))).toEqual([]);
});
