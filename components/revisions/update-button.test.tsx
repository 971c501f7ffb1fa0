import { fireEvent, render, screen, within } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { AccessContext } from '@/components/access/access-context';
import type { DraftUpdate, LiveUpdateRequest } from '@/lib/editor/live-update';
import type { Answered } from './revision-types';
import { UpdateButton } from './update-button';

// The dialog is loaded later, which takes longer than a test waits.
beforeAll(async () => void (await import('./live-conflicts')));

const found: DraftUpdate = {
  ...{ state: 'conflicts', version: 3, live: 5, taken: ['new.md'], merged: ['lead.md'] },
  conflicts: [
    { path: 'a.md', base: 'one\ntwo\n', ours: 'one\nmine\n', theirs: 'one\ntheirs\n' },
    { path: 'b.md', base: 'old\n', ours: null, theirs: 'new\n' },
  ],
};
const updated: DraftUpdate = {
  ...{ state: 'updated', version: 4, live: 5, taken: ['new.md'], merged: ['lead.md'], resolved: ['a.md', 'b.md'] },
};

/** Renders the button. Its requests get the answers, one after the other. */
function open(answers: readonly Answered<DraftUpdate>[], rights: readonly ('edit' | 'read')[] = ['read', 'edit']) {
  const asked: (LiveUpdateRequest | undefined)[] = [];
  const said: string[] = [];
  const update = async (_draft: string, request?: LiveUpdateRequest) => {
    asked.push(request);
    return answers[asked.length - 1] ?? { ok: false, message: 'Too many requests.' };
  };
  render(
    <AccessContext value={{ rights, role: 'viewer', ask: 'Ada', accounts: true }}>
      <UpdateButton
        draft="shorter"
        services={{ project: 'desk', update }}
        onUpdated={({ version }, words) => said.push(`${version}: ${words}`)}
      />
    </AccessContext>,
  );
  return { asked, said };
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

it('says what the draft got if nothing has to be chosen', async () => {
  const { asked, said } = open([{ ok: true, value: { ...updated, resolved: [] } }]);
  press('Update from live: draft shorter');
  await expect
    .poll(() => said)
    .toEqual(['4: The draft shorter has what is live, revision 5. 1 file taken over, 1 file merged.']);
  expect(asked).toEqual([undefined]);
});

it('shows each conflict in three versions, and sends the choices with what they were made for', async () => {
  const { asked, said } = open([
    { ok: true, value: found },
    { ok: true, value: updated },
  ]);
  press(/^Update from live/);
  const dialog = await screen.findByRole('dialog', { name: 'Live changed what the draft shorter changed' });
  const file = within(dialog).getByRole('region', { name: 'Differences in a.md' });
  expect(within(file).getAllByText(/^(Draft|As it was|Live)$/).length).toBeGreaterThanOrEqual(3);
  fireEvent.click(within(file).getByRole('radio', { name: 'Edit merged' }));
  const save = within(dialog).getByRole('button', { name: 'Save this choice' });
  expect(save).toHaveProperty('disabled', true);
  const text = within(file).getByRole('textbox', { name: 'Merged text of a.md' });
  expect(text).toHaveProperty('value', 'one\n<<<<<<< draft\nmine\n=======\ntheirs\n>>>>>>> live\n');
  fireEvent.change(text, { target: { value: 'one\nboth\n' } });
  const other = within(dialog).getByRole('region', { name: 'Differences in b.md' });
  expect(within(other).getByRole('radio', { name: 'Draft (deleted)' })).toHaveProperty('checked', true);
  fireEvent.click(within(other).getByRole('radio', { name: 'Live' }));
  fireEvent.click(save);
  await expect.poll(() => said.length).toBe(1);
  expect(asked[1]).toEqual({
    ...{ version: 3, live: 5 },
    resolutions: { 'a.md': { text: 'one\nboth\n' }, 'b.md': 'theirs' },
  });
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

it('compares again if the draft was saved meanwhile', async () => {
  const { asked } = open([
    { ok: true, value: found },
    { ok: false, message: 'The draft shorter was saved since you looked.' },
    { ok: true, value: { ...found, version: 4 } },
  ]);
  press(/^Update from live/);
  await screen.findByRole('dialog');
  press('Save this choice');
  expect((await screen.findByRole('alert')).textContent).toContain('saved since you looked');
  press('Compare again');
  await expect.poll(() => screen.queryByRole('alert')).toBeNull();
  expect(asked[2]).toBeUndefined();
});

it('is off for somebody who may not edit', () => {
  const { asked } = open([], ['read']);
  press(/^Update from live/);
  expect(asked).toEqual([]);
});
