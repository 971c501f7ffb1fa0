import type { ImportReport, ReportedFile } from '@/lib/cards/import-report';
import { expect, test } from './stage';

const works = (...names: readonly string[]) =>
  names.map((field, index) => ({ field, line: index + 2, use: 'works', notes: [] }) as const);
const lost = (line: number, message: string) => ({ use: 'cannot-run', line, message }) as const;

const reported: readonly Partial<ReportedFile>[] = [
  { file: '.claude/agents/checker.md', becomes: 'agent', names: ['checker'], fields: works('name', 'description') },
  {
    ...{ file: '.claude/agents/writer.md', becomes: 'agent', names: ['writer'] },
    fields: [
      ...works('name', 'description'),
      {
        ...{ field: 'tools', line: 4, use: 'cannot-run' },
        notes: [lost(4, 'Tools of Claude Code itself cannot run here: Read. The names are kept.')],
      },
      {
        ...{ field: 'color', line: 5, use: 'kept' },
        notes: [
          { use: 'kept', line: 5, message: "'color' is kept and has no effect here: it is a colour in the terminal." },
        ],
      },
    ],
  },
  {
    ...{ file: '.claude/rules/a-name-of-a-rule-that-is-longer-than-a-narrow-dialog.md', becomes: 'not-read' },
    notes: [lost(1, 'Rules of .claude/rules are not read into the instruction here.')],
  },
  { file: '.mcp.json', becomes: 'servers', names: ['wiki'], fields: works('mcpServers') },
  { file: 'CLAUDE.md', becomes: 'instruction', names: ['main'] },
];
const report: ImportReport = {
  format: 'Claude Code',
  withoutFile: [],
  files: reported.map((one): ReportedFile => ({ file: '', becomes: 'kept', names: [], notes: [], fields: [], ...one })),
};

test('an import shows what becomes of each file and field before the project is made @full', async ({
  page,
  stage,
}) => {
  const cards = ['checker', 'writer', 'main'].map((name) => ({ file: `${name}.md`, name, type: 'agent' }));
  const found = { name: null, files: 5, cards, issues: [], report };
  await page.route('**/api/v1/check', (route) => route.fulfill({ json: found }));
  await stage.open('projects/several-projects');
  await page.getByRole('button', { name: 'Import' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByLabel('Files to import')
    .setInputFiles({ name: 'CLAUDE.md', mimeType: 'text/markdown', buffer: Buffer.from('Be brief.') });
  const shown = dialog.getByRole('region', { name: 'Import report' });
  await expect(shown).toContainText('Claude Code: 5 files.');
  await expect(shown.getByRole('listitem').filter({ hasText: '.claude/agents/writer.md' })).toContainText(
    'cannot run here: toolsTools of Claude Code itself cannot run here: Read.',
  );
  await expect(shown.getByText('.claude/agents/checker.md')).toBeHidden();
  await shown.getByText('3 files without a loss').click();
  await expect(shown.getByText('.claude/agents/checker.md')).toBeVisible();
  expect(await dialog.evaluate((node) => node.scrollWidth <= node.clientWidth)).toBe(true);
});
