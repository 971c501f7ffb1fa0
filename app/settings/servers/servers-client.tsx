'use client';

import { unwrapAction } from '@/app/call-action';
import { editorServices } from '@/app/p/[project]/editor-services';
import { listSignIns, removeSignIn, startSignIn } from '@/app/settings/sign-in-actions';
import { ServerSection, type ServerSectionProps } from '@/components/settings/server-section';
import { SettingsSection } from '@/components/settings/settings-section';
import type { SignInServices } from '@/components/settings/sign-in-types';
import { waitForTask } from '@/lib/client/tasks';

const signIns: SignInServices = {
  list: (project) => unwrapAction(() => listSignIns({ project })),
  async begin(project, server) {
    const answer = await waitForTask(await unwrapAction(() => startSignIn({ project, server })));
    if (!answer.ok) throw new Error(answer.message);
    if (answer.kind !== 'sign-in') throw new Error('The worker answered another question. Try again.');
    return { host: answer.host, href: `/oauth/mcp/start?attempt=${encodeURIComponent(answer.attempt)}` };
  },
  forget: (project, signIn) => unwrapAction(() => removeSignIn({ project, signIn })),
};

/** The servers of projects, with the requests that test them and sign in. */
export function ServersClient({ first }: Pick<ServerSectionProps, 'first'>) {
  return (
    <SettingsSection title="MCP servers" isWholePage>
      <ServerSection first={first} servicesOf={editorServices} signIns={signIns} />
    </SettingsSection>
  );
}
