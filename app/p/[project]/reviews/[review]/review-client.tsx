'use client';

import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import type { ActionResult } from '@/app/action';
import { callAction } from '@/app/call-action';
import {
  addNewVersion,
  answer,
  applyText,
  begin,
  changeText,
  decide,
  remove,
  setState,
  withdraw,
} from '@/app/p/[project]/reviews/actions';
import { publishServices } from '@/app/p/[project]/revisions/publish-services';
import { AccessContext } from '@/components/access/access-context';
import { ReviewReaders } from '@/components/review/review-readers';
import type { FullReview, ReviewServices } from '@/components/review/review-types';
import { ReviewView } from '@/components/review/review-view';
import type { ProjectAccess } from '@/lib/base/project-access';
import { leavePresence, sayPresence, watchPresence } from '@/lib/client/presence';
import type { PresenceServices } from '@/lib/editor/presence';

export function ReviewClient(props: {
  readonly project: string;
  readonly access: ProjectAccess;
  readonly review: FullReview;
}) {
  const { project, access, review } = props;
  const { number, revision, draft } = review;
  const router = useRouter();
  const services = useMemo((): ReviewServices => {
    const at = { project, review: number };
    const ask = async <T,>(request: () => Promise<ActionResult<T>>) => {
      const answered = await callAction(request);
      router.refresh();
      return answered.ok ? undefined : answered.message;
    };
    return {
      addVersion: () => ask(() => addNewVersion(at)),
      decide: (verdict, note) => ask(() => decide({ ...at, request: { verdict, note, revision } })),
      withdraw: () => ask(() => withdraw(at)),
      comment: (anchor, body, suggestion) => ask(() => begin({ ...at, request: { anchor, body, suggestion } })),
      reply: (thread, body) => ask(() => answer({ ...at, thread, request: { body } })),
      edit: (thread, comment, body) => ask(() => changeText({ ...at, thread, comment, request: { body } })),
      remove: (thread, comment) => ask(() => remove({ ...at, thread, comment })),
      setState: (thread, state) => ask(() => setState({ ...at, thread, state })),
      apply: (thread, comment) => ask(() => applyText({ ...at, thread, comment })),
    };
  }, [project, number, revision, router]);
  const presence = useMemo(
    (): PresenceServices => ({
      say: (place) => sayPresence(project, place),
      leave: (window) => leavePresence(project, window),
      watch: (onPresent) => watchPresence(project, draft, onPresent),
    }),
    [project, draft],
  );
  const publishing = useMemo(() => publishServices(project), [project]);
  return (
    <AccessContext value={access}>
      <ReviewReaders draft={draft} presence={presence} />
      <ReviewView review={review} services={services} publishing={publishing} onRefresh={() => router.refresh()} />
    </AccessContext>
  );
}
