import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { appDialogs, appPages, settingsPlaces, themeCommands } from '@/lib/client/app-places';
import { findRows } from '@/lib/client/find-rows';
import { morePlaces } from '@/lib/client/more-places';
import { projectPages } from '@/lib/client/project-places';
import { addingCommands, canvasCommands, editorCommands } from './editor-commands';

/*
 * What the command palette offers, found by its own name and by the other words of its row, among all the rows of an editor.
 */

const groups = {
  'pages of the app': appPages,
  'commands of the app': [...appDialogs, ...themeCommands],
  'pages of Settings': settingsPlaces,
  'places of a project': [...projectPages, ...morePlaces],
  'commands of the editor': [...editorCommands, ...addingCommands],
  'commands of the canvas': canvasCommands,
} as const;

const everything = Object.values(groups).flatMap((rows) => [...rows]);

/** The palette lists so many rows without scrolling. */
const inView = 12;

describe.each(Object.entries(groups))('%s', (_, rows) => {
  test.each(rows.map((row) => [row.name, row] as const))(
    '%s is found by its name and its other words',
    (_name, row) => {
      const [best] = findRows(everything, row.name, 1);
      expect(best?.row.name).toBe(row.name);
      for (const word of row.words) {
        const found = findRows(everything, word, inView).map((each) => each.row);
        expect(found, word).toContain(row);
      }
    },
  );

  test('each has other words, all in lower case and none twice', () => {
    for (const { name, words } of rows) {
      expect(words, name).toEqual([...new Set(words)].map((word: string) => word.toLowerCase()));
      expect(words.length, name).toBeGreaterThan(0);
    }
  });
});

test.each([
  ['chat', 'Chat'],
  ['tidy', 'Tidy'],
  ['layout', 'Tidy'],
  ['dark', 'Dark theme'],
  ['theme', 'Theme of the system'],
  ['secrets', 'Secrets'],
  ['api key', 'Models and keys'],
  ['model', 'Models and keys'],
  ['new project', 'New project…'],
  ['import', 'Import a project…'],
  ['members', 'Members'],
  ['share', 'Members'],
  ['audit', 'Audit log'],
  ['policy', 'Policy'],
  ['trash', 'Bin'],
  ['cron', 'Triggers'],
  ['shortcuts', 'All keys'],
  ['errors', 'Show problems'],
])("'%s' finds %s", (query, name) => {
  expect(findRows(everything, query, 5).map(({ row }) => row.name)).toContain(name);
});

/** Pages that only a link with ids or a code leads to. */
const byLinkOnly = ['/cli', '/compare', '/runs/group'];

test('every page without an id in its address is offered, and nothing else', () => {
  const app = path.resolve(import.meta.dirname, '../../app');
  const pages = readdirSync(app, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => path.posix.basename(file) === 'page.tsx' && !file.includes('['))
    .map((file) => `/${path.posix.dirname(file)}`.replace('/.', '/'));
  const offered = [...appPages, ...settingsPlaces].map(({ href }) => href);
  expect(offered.sort()).toEqual(pages.filter((page) => !byLinkOnly.includes(page)).sort());
});

test('every page of a project is offered', () => {
  const own = path.resolve(import.meta.dirname, '../../app/p/[project]');
  const pages = readdirSync(own, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `/p/x/${name}`);
  const offered = [...projectPages, ...morePlaces].map(({ href }) => href('x'));
  for (const page of ['/p/x', ...pages]) expect(offered).toContain(page);
});
