import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AccessContext } from '@/components/access/access-context';
import { type ProjectRight, rightsOfRole } from '@/lib/base/rights';
import type { Score } from '@/lib/base/score';
import { ScoreControl } from './score-control';
import { ScoreNotes } from './score-notes';
import { ScoresContext } from './scores-context';

const score = (author: string, rest: Partial<Score>): Score => ({
  ...{ id: author, span: null, name: 'quality', value: null, note: null, author, authorName: `${author}'s name` },
  ...{ createdAt: 0, updatedAt: 0 },
  ...rest,
});

/** Returns the names of the buttons, with the pressed ones marked, and all text. */
function shown(all: readonly Score[] | undefined, rights: readonly ProjectRight[], span?: number) {
  const scores = all && { all, me: 'ann', give: async () => undefined, remove: async () => undefined };
  const about = span === undefined ? {} : { span };
  const html = renderToStaticMarkup(
    <AccessContext value={{ rights, role: null, ask: 'Ada', accounts: true }}>
      <ScoresContext value={scores}>
        <ScoreControl {...about} />
        <ScoreNotes {...about} />
      </ScoresContext>
    </AccessContext>,
  );
  const buttons = [...html.matchAll(/<button([^>]*)>(.*?)<\/button>/g)].map(([, attributes = '', text = '']) => {
    const name = /aria-label="([^"]*)"/.exec(attributes)?.[1] ?? text.replaceAll(/<[^>]*>/g, '');
    return attributes.includes('aria-pressed="true"') ? `${name}, pressed` : name;
  });
  return { buttons, html };
}

const [editor, viewer] = [rightsOfRole('editor'), rightsOfRole('viewer')];
const said = [
  score('ann', { value: 1 }),
  score('bo', { value: 0.5, note: '<i>Why</i>' }),
  score('cy', { value: 0, span: { seq: 7, kind: 'tool', path: 'lead' } }),
];

test('a thumb is pressed if it is the score of the reader, and the mean counts all scores', () => {
  expect(shown([], editor).buttons).toEqual(['Good', 'Bad', 'Score']);
  expect(shown(said, editor).buttons).toEqual(['Good, pressed', 'Bad', 'Score 0.75']);
  expect(shown(said, editor, 7).buttons).toEqual(['Good', 'Bad', 'Score 0']);
  expect(shown(said, editor).html).toContain('Mean of 2 scores, 1 note');
});

test('people who may not score see scores of others, and nothing where there are none', () => {
  expect(shown(said, viewer).buttons).toEqual(['Score 0.75']);
  expect(shown([], viewer).html).toBe('');
  expect(shown(undefined, editor).html).toBe('');
});

test('a note is shown as plain text, with its author', () => {
  const { html } = shown(said, viewer);
  expect(html).toContain('&lt;i&gt;Why&lt;/i&gt;');
  expect(html).toContain('bo&#x27;s name');
});
