import { approvalServices } from '@/app/approval-services';
import { callAction } from '@/app/call-action';
import { startTests } from '@/app/p/[project]/tests/actions';
import type { PublishServices } from '@/components/revisions/revision-types';
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
