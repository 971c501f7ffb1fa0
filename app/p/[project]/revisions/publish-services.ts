import { approvalServices } from '@/app/approval-services';
import { callAction } from '@/app/call-action';
import { open } from '@/app/p/[project]/reviews/actions';
import { startTests } from '@/app/p/[project]/tests/actions';
import type { PublishServices } from '@/components/revisions/revision-types';
import { draftWords } from '@/lib/base/release-names';
import { check, publish, updateDraft } from './actions';

/** Makes the requests of the dialog that publishes. */
export function publishServices(project: string): PublishServices {
  return {
    project,
    approval: approvalServices(project),
    check: (what, label) =>
      callAction(() =>
        check({ project, label, ...('draft' in what ? { draft: what.draft } : { revision: what.revision }) }),
      ),
    openReview: async (draft, note) => {
      const opened = await callAction(() => open({ project, request: reviewOf(draft, note) }));
      return opened.ok ? { ok: true, value: opened.value.number } : opened;
    },
    test: (what) =>
      callAction(() =>
        startTests({
          ...{ project, mode: 'replay' },
          ...('draft' in what ? { draft: what.draft } : { revision: what.revision }),
        }),
      ),
    update: (draft, request = {}) => callAction(() => updateDraft({ project, draft, request })),
    publish: ({ what, ...request }) => callAction(() => publish({ project, request: { ...what, ...request } })),
  };
}

const longestTitle = 200;

/** The first line of a note is the title of a review. */
function reviewOf(draft: string, note: string) {
  const [first = '', ...rest] = note.trim().split('\n');
  const title = first.trim() === '' ? `Changes of the ${draftWords(draft)}` : first.trim();
  const isWhole = title.length <= longestTitle;
  return isWhole
    ? { draft, title, body: rest.join('\n').trim() }
    : { draft, title: `${title.slice(0, longestTitle - 1)}…`, body: note.trim() };
}
