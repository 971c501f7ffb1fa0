import { TriggersClient } from '@/app/p/[project]/triggers/triggers-client';
import { ProjectPage } from '@/components/project-bar/project-page';
import type { ShownTrigger } from '@/components/triggers/trigger-types';
import { usualStopAfter } from '@/lib/base/triggers';
import { actionsOf } from '@/stage/memory/actions-of';
import type { Scene, Screen } from '@/stage/scene';
import { mayAll, mayView } from './access';

const hour = 3_600_000;

const trigger = (id: string, rest: Partial<ShownTrigger> & Pick<ShownTrigger, 'name' | 'kind'>): ShownTrigger => ({
  ...{ id, target: { label: 'live' }, message: 'Write the letter of today.', stopAfter: usualStopAfter },
  ...{ enabled: true, failures: 0, by: 'Ada', createdAt: Date.now() - 500 * hour, next: [], firings: [] },
  ...{ now: Date.now(), ...rest },
});

/** The hour after the next full one, so that a due time is never a moment away. */
const nextHour = Math.ceil(Date.now() / hour) * hour + hour;

const morning = trigger('t1', {
  ...{ kind: 'schedule', name: 'Letter of the morning', schedule: { cron: '0 7 * * 1-5', zone: 'Europe/London' } },
  next: [nextHour, nextHour + 24 * hour, nextHour + 48 * hour],
  firings: [
    { cause: 'due', at: Date.now() - hour, run: { id: 'run-1', status: 'completed' }, missed: 0 },
    { cause: 'due', at: Date.now() - 25 * hour, run: { id: 'run-2', status: 'failed' }, missed: 3 },
    { cause: 'person', at: Date.now() - 26 * hour, missed: 0 },
  ],
});

const order = trigger('t2', {
  ...{ kind: 'webhook', name: 'Order', hook: '/api/v1/hooks/t2', target: { revision: 3 }, failures: 2, by: 'Bo' },
  message: 'An order came: {{body}}',
  firings: [
    {
      ...{ cause: 'message', at: Date.now() - 2 * hour, missed: 0 },
      error: { code: 'not_found', message: 'The project has no revision 3.' },
    },
    { cause: 'message', at: Date.now() - 3 * hour, run: { id: 'run-3', status: 'completed' }, missed: 0 },
  ],
});

const night = trigger('t3', {
  ...{ kind: 'schedule', name: 'Count of the night', schedule: { cron: '30 2 * * *', zone: 'UTC' } },
  ...{ target: { label: 'staging' }, enabled: false, failures: 5 },
  stoppedBecause: 'Nothing is published as staging.',
});

const paused = trigger('t4', {
  ...{ kind: 'webhook', hook: '/api/v1/hooks/t4', enabled: false },
  name: 'A webhook with a name of many words, as somebody writes it who likes to be understood',
});

const scene = (name: string, triggers: readonly ShownTrigger[], access = mayAll): Scene => ({
  name,
  path: '/p/desk/triggers',
  open: () => ({
    screen: (
      <ProjectPage
        project={{ id: 'desk', name: 'Desk' }}
        access={access}
        current="triggers"
        title="Triggers"
        description="What starts the project without a person: schedules and webhooks."
      >
        <TriggersClient
          project="desk"
          access={access}
          triggers={triggers}
          labels={['live', 'staging']}
          revisions={[3, 2, 1]}
          publicUrl="https://board.example.org"
        />
      </ProjectPage>
    ),
    answers: actionsOf<typeof import('@/app/p/[project]/triggers/actions')>('p/[project]/triggers/actions', {
      dueTimes: () => [nextHour, nextHour + 24 * hour],
    }),
  }),
});

export const triggers: Screen = {
  id: 'triggers',
  title: 'Triggers',
  scenes: [
    scene('schedules and webhooks', [morning, order, night, paused]),
    scene('empty', []),
    scene('for somebody who only views', [morning, order], mayView),
  ],
};
