'use client';

import { unwrapAction } from '@/app/call-action';
import { CliLoginView, type CliLoginViewProps } from '@/components/account/cli-login-view';
import { allowCommand, denyCommand } from './actions';

/** Asks about a command, with the requests that allow or refuse it. */
export function CliClient(props: Omit<CliLoginViewProps, 'onAllow' | 'onDeny'>) {
  const { code } = props;
  return (
    <CliLoginView
      {...props}
      onAllow={(choice) => unwrapAction(() => allowCommand({ code, ...choice, scopes: [...choice.scopes] }))}
      onDeny={() => unwrapAction(() => denyCommand({ code }))}
    />
  );
}
