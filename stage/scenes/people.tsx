import type { ComponentProps } from 'react';
import { PeopleClient } from '@/app/settings/people/people-client';
import { Page } from '@/components/shell/page';
import { roles } from '@/lib/base/rights';
import type { Scene, Screen } from '@/stage/scene';

type Props = ComponentProps<typeof PeopleClient>;
type Person = Props['people'][number];

const projects = [
  { id: 'desk', name: 'Desk' },
  { id: 'news', name: 'A newsroom with a name that is longer than the row that shows it' },
];

const person = (id: string, name: string, rest: Partial<Person> = {}): Person => ({
  ...{ id, name, email: `${id}@example.org`, isAdministrator: false, deactivatedAt: null },
  ...{ secondFactor: false, passkeys: 0, hasProvider: false, members: [] },
  ...rest,
});

const member = (place: number, role: string) => {
  const { id, name } = projects[place] ?? { id: 'plain', name: 'Plain' };
  return { project: id, name, role, answers: true };
};

const ada = person('ada', 'Ada', { isAdministrator: true, passkeys: 2, secondFactor: true });
const several: readonly Person[] = [
  ada,
  person('bo', 'Bo', { passkeys: 1, members: [member(0, 'editor'), member(1, 'viewer')] }),
  person('cy', 'Cy', { deactivatedAt: Date.now() - 86_400_000, members: [member(0, 'viewer')] }),
  person(
    `${'cornelia-'.repeat(6)}marlowe`,
    'Cornelia Augusta Wilhelmina Featherstonehaugh-Marlowe of Market Harborough',
    { members: [member(1, 'admin')], secondFactor: true, hasProvider: true },
  ),
];
const many = Array.from({ length: 199 }, (_, n) =>
  person(`person.${n + 1}`, `Person ${n + 1}`, { members: [member(n % 2, roles[n % roles.length] ?? 'viewer')] }),
);
const invitations = [
  { id: 'i1', email: 'new@example.org', projectName: null, role: null },
  { id: 'i2', email: 'dee@example.org', projectName: 'Desk', role: 'editor' },
];

const scene = (name: string, people: readonly Person[], rest: Partial<Props> = {}): Scene => ({
  name,
  path: '/settings/people',
  open: () => ({
    screen: (
      <Page title="People" description="Who may use this installation, and what they may do in its projects.">
        <PeopleClient
          people={people}
          projects={projects}
          needsSecondFactor={false}
          onlyAdministratorsMake={false}
          invitations={[]}
          {...rest}
        />
      </Page>
    ),
    answers: {},
  }),
});

export const people: Screen = {
  id: 'people',
  title: 'People',
  scenes: [
    scene('several people', several, { needsSecondFactor: true, invitations }),
    scene('two hundred people', [ada, ...many]),
    scene('only oneself', [ada], { projects: [] }),
  ],
};
