import type { Metadata } from 'next';
import { Page } from '@/components/shell/page';
import { Controls } from './controls';
import { Dialogs } from './dialogs';
import { GraphPreview } from './graph-preview';
import { RunPreview } from './run-preview';
import { Section } from './section';
import { Statuses } from './statuses';

export const metadata: Metadata = { title: 'Preview of components' };

/**
 * Shows every component in its states, for people who design or change one. Only `npm run dev` serves the page
 * (next.config.ts).
 */
export default function PreviewPage() {
  return (
    <Page title="Preview of components">
      <div className="flex flex-col gap-8">
        <Section title="Status, badges and progress">
          <Statuses />
        </Section>
        <Section title="Controls">
          <Controls />
        </Section>
        <Section title="Dialogs, menus and notifications">
          <Dialogs />
        </Section>
        <Section title="Nodes and wires">
          <GraphPreview />
        </Section>
        <Section title="Timeline">
          <RunPreview />
        </Section>
      </div>
    </Page>
  );
}
