import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { AccessContext } from '@/components/access/access-context';
import type { CheckedRelease } from '@/lib/base/gate';
import { PublishDialog } from './publish-dialog';
import type { Published, PublishRequest, PublishServices } from './revision-types';

const push = vi.fn<(href: string) => void>();
vi.mock('next/navigation', () => ({ useRouter: () => ({ push }) }));
afterEach(() => push.mockReset());

const passed: CheckedRelease = {
  checks: [{ id: 'problems', ok: true, sentence: 'No errors.', overriddenBy: 'admin', overridable: true }],
  now: 4,
};
const lacking: CheckedRelease = {
  checks: [{ id: 'review', ok: false, sentence: 'It needs one approval.', overriddenBy: 'admin', overridable: false }],
  now: 4,
  review: { reviewers: ['Ann', 'Bo'] },
};

interface Options {
  readonly found: readonly CheckedRelease[];
  readonly what?: Published;
  readonly expected?: number | null;
  readonly answer?: Awaited<ReturnType<PublishServices['publish']>>;
  readonly rights?: readonly ('edit' | 'read')[];
}

/** Renders the dialog. Its checks find these, one after the other. */
function open({ found, what = { draft: 'next', version: 3 }, expected, answer, rights = ['read', 'edit'] }: Options) {
  const published: PublishRequest[] = [];
  const opened: string[] = [];
  const never = async () => ({ ok: false, message: 'Not asked here.' }) as const;
  let checked = 0;
  const services: PublishServices = {
    project: 'desk',
    check: async () => {
      const value = found[Math.min(checked, found.length - 1)] ?? passed;
      checked += 1;
      return { ok: true, value };
    },
    publish: async (request) => {
      published.push(request);
      return answer ?? { ok: true, value: { number: 5, isNew: true } };
    },
    openReview: async (draft, note) => {
      opened.push(`${draft}: ${note}`);
      return { ok: true, value: 7 };
    },
    approval: { readTrust: never, askCommands: never },
    test: never,
    update: never,
  };
  const dialog = { what, label: 'live', expected, services, onClose() {}, onDone() {} };
  render(
    <AccessContext value={{ rights, role: 'viewer', ask: 'Ada', accounts: true }}>
      <PublishDialog {...dialog} />
    </AccessContext>,
  );
  return { published, opened };
}

const ready = async () => {
  const button = screen.getByRole('button', { name: 'Publish' });
  await expect.poll(() => button.getAttribute('aria-disabled')).not.toBe('true');
  return button;
};

it('publishes over what was live when the checks ran, and looks anew after a refusal', async () => {
  const { published } = open({
    found: [passed, { ...passed, now: 6 }],
    answer: { ok: false, message: 'Live names revision 6 by now.' },
  });
  fireEvent.click(await ready());
  expect(await screen.findByRole('alert')).toHaveProperty('textContent', 'Live names revision 6 by now.');
  fireEvent.click(await ready());
  await expect.poll(() => published.map(({ expected }) => expected)).toEqual([4, 6]);
});

it('publishes over what the page has shown, if the page says it', async () => {
  const { published } = open({ found: [passed], expected: null });
  fireEvent.click(await ready());
  await expect.poll(() => published.map(({ expected }) => expected)).toEqual([null]);
});

it('leads from missing approvals to a new review, which has the note', async () => {
  const { opened } = open({ found: [lacking] });
  expect(await screen.findByText('Ann and Bo may approve.')).toBeTruthy();
  fireEvent.change(screen.getByRole('textbox', { name: 'Note' }), { target: { value: 'Shorter' } });
  fireEvent.click(screen.getByRole('button', { name: 'Open a review' }));
  await expect.poll(() => push.mock.calls).toEqual([['/p/desk/reviews/7']]);
  expect(opened).toEqual(['next: Shorter']);
});

it('leads to the review that is open', async () => {
  open({ found: [{ ...lacking, review: { open: 3, reviewers: ['A', 'B', 'C', 'D', 'E', 'F'] } }] });
  const link = await screen.findByRole('link', { name: 'Go to review 3' });
  expect(link.getAttribute('href')).toBe('/p/desk/reviews/3');
  expect(screen.getByText('A, B, C, D and 2 others may approve.')).toBeTruthy();
});

it('says who may open a review to a person who may not', async () => {
  open({ found: [lacking], rights: ['read'] });
  expect(await screen.findByRole('button', { name: 'Open a review' })).toHaveProperty('disabled', true);
  expect(screen.getByText(/Ada/)).toBeTruthy();
});
