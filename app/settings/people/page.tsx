import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { pageActor } from '@/app/page-actor';
import { Page } from '@/components/shell/page';
import { readPeople } from '@/lib/server/accounts/people';
import { listProjectNames } from '@/lib/server/projects';
import { PeopleClient } from './people-client';

export const metadata: Metadata = { title: 'People' };

/** Who may use this installation, for administrators. Without accounts there is no such page. */
export default async function PeoplePage() {
  const actor = await pageActor();
  if (actor.reach === 'all' || actor.reach.kind !== 'person' || !actor.reach.isAdministrator) notFound();
  const [{ people, invitations, needsSecondFactor, onlyAdministratorsMake }, { projects }] = await Promise.all([
    readPeople(actor),
    listProjectNames(actor, { limit: 200 }),
  ]);
  return (
    <Page title="People" description="Who may use this installation, and what they may do in its projects.">
      <PeopleClient
        needsSecondFactor={needsSecondFactor}
        onlyAdministratorsMake={onlyAdministratorsMake}
        people={people}
        invitations={invitations}
        projects={projects}
      />
    </Page>
  );
}
