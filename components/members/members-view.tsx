'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { TimeAgo } from '@/components/ui/time-ago';
import { InviteMember } from './invite-member';
import { MemberItem } from './member-item';
import type { MemberServices, ShownInvitation, ShownMember } from './member-types';
import { OnceLink } from './once-link';

export interface MembersViewProps {
  readonly members: readonly ShownMember[];
  readonly administrators: readonly string[];
  /** `undefined` for people who may not change who works on the project. */
  readonly invitations: readonly ShownInvitation[] | undefined;
  /** Says why nothing can be changed here. */
  readonly whyNot: string | undefined;
  /** The person who looks. */
  readonly self: string;
  readonly services: MemberServices;
}

const box = 'divide-y rounded-lg border bg-surface shadow-card';

/** Who works on a project and with which role. Admins of the project invite, change and remove people here. */
export function MembersView({ members, administrators, invitations, whyNot, self, services }: MembersViewProps) {
  const [fault, setFault] = useState<string>();
  const [link, setLink] = useState<string>();
  const [leaving, setLeaving] = useState<ShownMember>();
  const mayChange = whyNot === undefined;
  const ask = async (work: () => Promise<string | undefined>) => {
    setLink(undefined);
    setFault(await work());
  };
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      {whyNot !== undefined && <p className="text-muted text-sm">{whyNot}</p>}
      {mayChange && (
        <InviteMember
          onInvite={async (input) => {
            const answer = await services.invite(input);
            setFault('fault' in answer ? answer.fault : undefined);
            setLink('link' in answer ? answer.link : undefined);
            return 'link' in answer;
          }}
        />
      )}
      {fault !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {fault}
        </p>
      )}
      {link !== undefined && <OnceLink link={link} />}
      <section aria-label="People of this project">
        {members.length === 0 ? (
          <p className={`${box} px-4 py-3 text-muted text-sm`}>Nobody has a role in this project yet.</p>
        ) : (
          <ul aria-label="Members" className={box}>
            {members.map((member) => (
              <MemberItem
                key={member.userId}
                member={member}
                isSelf={member.userId === self}
                onChange={mayChange ? (given) => void ask(() => services.change(member.userId, given)) : undefined}
                onRemove={() => setLeaving(member)}
              />
            ))}
          </ul>
        )}
        {administrators.length > 0 && (
          <p className="mt-2 text-muted text-xs">
            {administrators.join(', ')} {administrators.length === 1 ? 'administers' : 'administer'} this installation
            and may do everything here without a role.
          </p>
        )}
      </section>
      {invitations !== undefined && invitations.length > 0 && (
        <Invitations invitations={invitations} onTakeBack={(id) => void ask(() => services.takeBack(id))} />
      )}
      <ConfirmDialog
        open={leaving !== undefined}
        onOpenChange={(open) => !open && setLeaving(undefined)}
        title={leaving?.userId === self ? 'Leave this project?' : `Remove ${leaving?.name}?`}
        confirm={leaving?.userId === self ? 'Leave project' : 'Remove person'}
        onConfirm={() => {
          if (leaving === undefined) return;
          setLeaving(undefined);
          void ask(() => services.remove(leaving.userId));
        }}
      >
        {leaving?.userId === self ? 'You' : `${leaving?.name}`} can no longer open the project. Runs that were started
        go on, and nothing is deleted.
      </ConfirmDialog>
    </div>
  );
}

interface InvitationsProps {
  readonly invitations: readonly ShownInvitation[];
  readonly onTakeBack: (id: string) => void;
}

function Invitations({ invitations, onTakeBack }: InvitationsProps) {
  return (
    <section aria-label="Invitations">
      <h2 className="mb-2 font-medium text-ink text-sm">Open invitations</h2>
      <ul aria-label="Open invitations" className={box}>
        {invitations.map(({ id, email, role, answers, invitedBy, createdAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 text-sm">
            <p className="min-w-0 flex-1 basis-56 break-words text-ink">
              {email}
              <span className="block text-muted text-xs">
                as {role}
                {answers && ', answers questions'} · invited by {invitedBy} <TimeAgo at={createdAt} />
              </span>
            </p>
            <Button size="sm" aria-label={`Take back ${email}`} onClick={() => onTakeBack(id)}>
              Take back
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
