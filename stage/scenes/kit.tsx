import type { ReactNode } from 'react';
import { Page } from '@/components/shell/page';
import { Controls } from '@/stage/kit/controls';
import { Dialogs } from '@/stage/kit/dialogs';
import { GraphPreview } from '@/stage/kit/graph-preview';
import { RunPreview } from '@/stage/kit/run-preview';
import { Statuses } from '@/stage/kit/statuses';
import type { Scene, Screen } from '@/stage/scene';

const scene = (name: string, content: ReactNode): Scene => ({
  name,
  path: '/',
  open: () => ({
    screen: (
      <Page title={name}>
        <div className="flex flex-col gap-3">{content}</div>
      </Page>
    ),
    answers: {},
  }),
});

/** The components that several screens use, each in all its states. */
export const kit: Screen = {
  id: 'kit',
  title: 'Components',
  scenes: [
    scene('Status badges and progress', <Statuses />),
    scene('Controls', <Controls />),
    scene('Dialogs menus and notifications', <Dialogs />),
    scene('Nodes and wires', <GraphPreview />),
    scene('Timeline', <RunPreview />),
  ],
};
