'use client';

import { SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { Page } from '@/components/shell/page';
import { EmptyState } from '@/components/ui/empty-state';
import { CommandEntry, type CommandEntryProps, type DecidedCommand } from './command-entry';

export interface CommandsViewProps extends Pick<CommandEntryProps, 'onDecide' | 'onReadFile'> {
  readonly first: readonly DecidedCommand[];
  /** False if nothing needs an approval. */
  readonly accounts: boolean;
}

/** What projects ask to start: first what waits, then what is decided. */
export function CommandsView({ first, accounts, ...services }: CommandsViewProps) {
  const [commands, setCommands] = useState(first);
  const isWaiting = ({ status }: DecidedCommand) => status === 'asked';
  const groups = [
    { title: 'Waiting for a decision', shown: commands.filter(isWaiting) },
    { title: 'Decided', shown: commands.filter((command) => !isWaiting(command)) },
  ];
  const replace = (changed: DecidedCommand) =>
    setCommands((before) => before.map((command) => (command.id === changed.id ? changed : command)));
  return (
    <Page
      title="Commands"
      description="Stdio servers, Python and shells start only after an administrator approved exactly them."
    >
      <div className="flex max-w-3xl flex-col gap-6">
        {accounts ? null : (
          <p className="rounded-lg border bg-surface px-4 py-3 text-muted text-sm">
            This installation has no accounts, so nothing needs an approval here.
          </p>
        )}
        {commands.length === 0 && accounts ? (
          <EmptyState icon={<SquareTerminal aria-hidden />} title="Nothing is asked for">
            A run that would start a new command offers to ask for it. The request appears here.
          </EmptyState>
        ) : null}
        {groups.map(({ title, shown }) =>
          shown.length === 0 ? null : (
            <section key={title} aria-label={title}>
              <h2 className="mb-2 font-medium text-ink text-sm">
                {title} <span className="font-normal text-faint tabular">{shown.length}</span>
              </h2>
              <ul className="divide-y rounded-lg border bg-surface shadow-card">
                {shown.map((command) => (
                  <CommandEntry key={command.id} command={command} onChanged={replace} {...services} />
                ))}
              </ul>
            </section>
          ),
        )}
      </div>
    </Page>
  );
}
