'use client';

import { useRouter } from 'next/navigation';
import { callAction } from '@/app/call-action';
import type { MemberServices } from '@/components/members/member-types';
import { MembersView, type MembersViewProps } from '@/components/members/members-view';
import { changeMember, dropMember, inviteToProject, takeBackInProject } from './actions';

export function MembersClient({ project, ...view }: { readonly project: string } & Omit<MembersViewProps, 'services'>) {
  const router = useRouter();
  const changed = async (ask: Parameters<typeof callAction>[0]) => {
    const answer = await callAction(ask);
    router.refresh();
    return answer.ok ? undefined : answer.message;
  };
  const services: MemberServices = {
    async invite(input) {
      const answer = await callAction(() => inviteToProject({ project, ...input }));
      router.refresh();
      return answer.ok ? { link: `${window.location.origin}${answer.value}` } : { fault: answer.message };
    },
    change: (userId, given) => changed(() => changeMember({ project, userId, ...given })),
    remove: (userId) => changed(() => dropMember({ project, userId })),
    takeBack: (id) => changed(() => takeBackInProject({ project, id })),
  };
  return <MembersView {...view} services={services} />;
}
