'use client';

import { unwrapAction } from '@/app/call-action';
import { CommandsView, type CommandsViewProps } from '@/components/trust/commands-view';
import { decide, readFile } from './actions';

/** The list of commands, with the requests that decide about them. */
export function CommandsClient(props: Pick<CommandsViewProps, 'first' | 'accounts'>) {
  return (
    <CommandsView
      {...props}
      onDecide={(id, decision, note) => unwrapAction(() => decide({ id, decision, note }))}
      onReadFile={(id, path) => unwrapAction(() => readFile({ id, path }))}
    />
  );
}
