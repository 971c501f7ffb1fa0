'use client';

import { useRouter } from 'next/navigation';
import { callAction } from '@/app/call-action';
import { AccessContext } from '@/components/access/access-context';
import { ReviewList, type ReviewListProps } from '@/components/review/review-list';
import type { ProjectAccess } from '@/lib/base/project-access';
import { reviewsHref } from '@/lib/client/project-address';
import { ask, open } from './actions';

export function ReviewsClient({
  access,
  ...list
}: { readonly access: ProjectAccess } & Omit<ReviewListProps, 'onOpen' | 'onPolicy'>) {
  const { project } = list;
  const router = useRouter();
  return (
    <AccessContext value={access}>
      <ReviewList
        {...list}
        onPolicy={async (policy) => {
          const answer = await callAction(() => ask({ project, policy: { ...policy, owners: [...policy.owners] } }));
          router.refresh();
          return answer.ok ? undefined : answer.message;
        }}
        onOpen={async (request) => {
          const answer = await callAction(() => open({ project, request }));
          if (answer.ok) router.push(reviewsHref(project, answer.value.number));
          return answer.ok ? undefined : answer.message;
        }}
      />
    </AccessContext>
  );
}
