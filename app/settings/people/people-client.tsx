'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import type { ActionResult } from '@/app/action';
import { callAction } from '@/app/call-action';
import { changeMember, dropMember, inviteToProject } from '@/app/p/[project]/members/actions';
import { OnceLink } from '@/components/members/once-link';
import { roleOptions } from '@/components/members/role-words';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { VisibleText } from '@/components/ui/visible-text';
import { roles } from '@/lib/base/rights';
import { membersHref } from '@/lib/client/project-address';
import {
  changeActive,
  changeAdministrator,
  dropSecondFactor,
  invitePerson,
  needSecondFactor,
  newResetLink,
  restrictProjects,
  takeBack,
  unlinkIdentity,
} from './actions';

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly isAdministrator: boolean;
  readonly deactivatedAt: number | null;
  readonly secondFactor: boolean;
  readonly passkeys: number;
  /** True if the provider of sign-ins has signed the person in. */
  readonly hasProvider: boolean;
  readonly members: readonly {
    readonly project: string;
    readonly name: string;
    readonly role: string;
    readonly answers: boolean;
  }[];
}

export interface PeopleClientProps {
  /** Whether everybody who has a password needs a second factor. */
  readonly needsSecondFactor: boolean;
  /** Whether only administrators make projects. */
  readonly onlyAdministratorsMake: boolean;
  readonly people: readonly Person[];
  readonly invitations: readonly {
    readonly id: string;
    readonly email: string;
    readonly projectName: string | null;
    readonly role: string | null;
  }[];
  readonly projects: readonly { readonly id: string; readonly name: string }[];
}

const installation = 'installation';
const box = 'rounded-lg border bg-surface shadow-card';

/** People, their roles and the open invitations. A link is shown once, to be copied. */
export function PeopleClient({
  needsSecondFactor,
  onlyAdministratorsMake,
  people,
  invitations,
  projects,
}: PeopleClientProps) {
  const router = useRouter();
  const [fault, setFault] = useState<string>();
  const [link, setLink] = useState<string>();
  const run = async (ask: () => Promise<ActionResult<unknown>>) => {
    setFault(undefined);
    setLink(undefined);
    const answer = await callAction(ask);
    if (!answer.ok) setFault(answer.message);
    else if (typeof answer.value === 'string') setLink(`${window.location.origin}${answer.value}`);
    router.refresh();
  };
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <InviteForm projects={projects} run={run} />
      <div className="flex flex-col gap-1.5">
        <Rule
          label="Everybody who has a password needs a second factor"
          checked={needsSecondFactor}
          onToggle={() => void run(() => needSecondFactor({ required: !needsSecondFactor }))}
        />
        <Rule
          label="Only administrators make projects"
          checked={onlyAdministratorsMake}
          onToggle={() => void run(() => restrictProjects({ administrators: !onlyAdministratorsMake }))}
        />
      </div>
      {fault !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {fault}
        </p>
      )}
      {link !== undefined && <OnceLink link={link} />}
      <ul aria-label="People" className={`${box} divide-y`}>
        {people.map((person) => (
          <PersonItem key={person.id} person={person} run={run} />
        ))}
      </ul>
      {invitations.length > 0 && (
        <ul aria-label="Open invitations" className={`${box} divide-y`}>
          {invitations.map(({ id, email, projectName, role }) => (
            <li key={id} className="flex flex-wrap items-center gap-3 px-4 py-3 text-sm">
              <span className="min-w-0 flex-1 text-ink">
                {email}{' '}
                <span className="text-muted">
                  is invited{projectName === null ? '' : ` to ${projectName} as ${role}`}
                </span>
              </span>
              <Button size="sm" aria-label={`Take back ${email}`} onClick={() => void run(() => takeBack({ id }))}>
                Take back
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type Run = (ask: () => Promise<ActionResult<unknown>>) => Promise<void>;

function InviteForm({ projects, run }: { readonly projects: PeopleClientProps['projects']; readonly run: Run }) {
  const [email, setEmail] = useState('');
  const [place, setPlace] = useState<string>(installation);
  const [role, setRole] = useState<string>('editor');
  const chosen = roles.find((each) => each === role) ?? 'viewer';
  const send = () =>
    place === installation
      ? invitePerson({ email, administrator: false })
      : inviteToProject({ email, project: place, role: chosen, answers: chosen !== 'viewer' });
  return (
    <form
      aria-label="Invite"
      className={`${box} flex flex-wrap items-end gap-3 px-4 py-3`}
      onSubmit={(event) => {
        event.preventDefault();
        void run(send);
      }}
    >
      <Field label="E-mail">
        {(ids) => (
          <Input
            {...ids}
            type="email"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        )}
      </Field>
      <div className="w-48">
        <Field label="To">
          {(field) => (
            <Select
              {...field}
              value={place}
              onValueChange={setPlace}
              options={[
                { value: installation, label: 'No project yet' },
                ...projects.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )}
        </Field>
      </div>
      {place !== installation && (
        <div className="w-32">
          <Field label="As">
            {(field) => <Select {...field} value={role} onValueChange={setRole} options={roleOptions} />}
          </Field>
        </div>
      )}
      <Button type="submit" variant="primary">
        Invite
      </Button>
    </form>
  );
}

function PersonItem({ person, run }: { readonly person: Person; readonly run: Run }) {
  const { id: userId, name, email, isAdministrator, deactivatedAt, secondFactor, hasProvider, members } = person;
  const isDeactivated = deactivatedAt !== null;
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 basis-48 break-words text-ink text-sm">
          <VisibleText text={name} /> <span className="text-muted">{email}</span>
          <span className="block text-muted text-xs">{standingOf(person)}</span>
        </p>
        <Button
          size="sm"
          aria-label={`New password link for ${email}`}
          onClick={() => void run(() => newResetLink({ userId }))}
        >
          Password link
        </Button>
        {secondFactor && (
          <Button
            size="sm"
            aria-label={`Reset second factor of ${email}`}
            onClick={() => void run(() => dropSecondFactor({ userId }))}
          >
            Reset second factor
          </Button>
        )}
        {hasProvider && (
          <Button
            size="sm"
            aria-label={`Unlink provider of ${email}`}
            onClick={() => void run(() => unlinkIdentity({ userId }))}
          >
            Unlink provider
          </Button>
        )}
        <Button
          size="sm"
          aria-label={`${isAdministrator ? 'No administrator' : 'Make administrator'}: ${email}`}
          onClick={() => void run(() => changeAdministrator({ userId, administrator: !isAdministrator }))}
        >
          {isAdministrator ? 'No administrator' : 'Make administrator'}
        </Button>
        <Button
          size="sm"
          aria-label={`${isDeactivated ? 'Activate' : 'Deactivate'} ${email}`}
          onClick={() => void run(() => changeActive({ userId, active: isDeactivated }))}
        >
          {isDeactivated ? 'Activate' : 'Deactivate'}
        </Button>
      </div>
      {members.map(({ project, name: projectName, role, answers }) => (
        <div key={project} className="flex flex-wrap items-center gap-2 text-sm">
          <Link href={membersHref(project)} className="min-w-0 flex-1 truncate text-muted hover:underline">
            <VisibleText text={projectName} />
          </Link>
          <span className="w-28">
            <Select
              aria-label={`Role of ${email} in ${projectName}`}
              size="sm"
              value={role}
              onValueChange={(value) => {
                const next = roles.find((each) => each === value);
                if (next !== undefined) void run(() => changeMember({ project, userId, role: next, answers }));
              }}
              options={roleOptions}
            />
          </span>
          <Button
            size="sm"
            aria-label={`Remove ${email} from ${projectName}`}
            onClick={() => void run(() => dropMember({ project, userId }))}
          >
            Remove
          </Button>
        </div>
      ))}
    </li>
  );
}

function standingOf({ isAdministrator, secondFactor, passkeys, hasProvider, deactivatedAt }: Person): string {
  return [
    isAdministrator ? 'Administrator' : 'Member',
    ...(secondFactor ? ['second factor'] : []),
    ...(passkeys > 0 ? [passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`] : []),
    ...(hasProvider ? ['provider'] : []),
    ...(deactivatedAt === null ? [] : ['deactivated']),
  ].join(', ');
}

interface RuleProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onToggle: () => void;
}

/** A rule of the installation. */
function Rule({ label, checked, onToggle }: RuleProps) {
  return (
    <p className="flex items-center gap-1 text-ink text-sm">
      <Checkbox label={label} checked={checked} onToggle={onToggle} />
      <span aria-hidden>{label}</span>
    </p>
  );
}
