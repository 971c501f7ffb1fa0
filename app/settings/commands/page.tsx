import type { Metadata } from 'next';
import { pageActor } from '@/app/page-actor';
import { Page } from '@/components/shell/page';
import { AppError } from '@/lib/base/app-error';
import { listCommands } from '@/lib/server/commands';
import { accountsAreOn } from '@/lib/server/settings/process-env';
import { CommandsClient } from './commands-client';

export const metadata: Metadata = { title: 'Commands' };

const shownAtMost = 200;

/** The commands that projects ask for, for administrators. */
export default async function CommandsPage() {
  const actor = await pageActor();
  try {
    const commands = await listCommands(actor, { limit: shownAtMost });
    return <CommandsClient first={commands} accounts={accountsAreOn()} />;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_allowed') throw error;
    return (
      <Page title="Commands">
        <p className="text-muted text-sm">{error.message}</p>
      </Page>
    );
  }
}
