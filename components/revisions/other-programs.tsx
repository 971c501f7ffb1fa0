'use client';

import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonClass } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { useOrigin } from '@/components/ui/use-origin';
import { projectAddress } from '@/lib/client/project-address';

export interface OtherProgramsProps {
  readonly project: string;
  /** Where other machines reach the app. `undefined`: at the address that the browser has. */
  readonly publicUrl: string | undefined;
}

/** How git, programs that speak MCP, and agents that speak A2A reach the project. */
export function OtherPrograms({ project, publicUrl }: OtherProgramsProps) {
  const origin = useOrigin(publicUrl);
  const address = projectAddress(project);
  return (
    <section id="programs" aria-label="From other programs">
      <h2 className="mb-2 font-medium text-ink text-sm">From other programs</h2>
      <dl className="divide-y rounded-lg border bg-surface text-sm shadow-card">
        <Row
          name="git"
          note="Clone and pull what is live; push drafts. A token is the password."
          text={`git clone ${origin}/git/${encodeURIComponent(project)}.git`}
        >
          <a href={`${address}/bundle`} download className={buttonClass('secondary', 'sm')}>
            <Download aria-hidden className="size-3.5" /> Bundle
          </a>
        </Row>
        <Row
          name="MCP server"
          note="Its entry agent is a tool that runs what is live."
          text={`${origin}${address}/mcp`}
        />
        <Row name="A2A agent" note="The same for agents that speak A2A." text={`${origin}${address}/a2a`} />
      </dl>
    </section>
  );
}

function Row(props: {
  readonly name: string;
  readonly note: string;
  readonly text: string;
  readonly children?: ReactNode;
}) {
  const { name, note, text, children } = props;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
      <dt className="w-24 shrink-0 text-ink">{name}</dt>
      <dd className="min-w-0 flex-1 basis-56">
        <span className="flex items-center gap-1">
          <code className="min-w-0 break-all font-mono text-ink text-xs">{text}</code>
          <CopyButton text={text} label={`Copy the address for ${name}`} />
        </span>
        <span className="block text-muted text-xs">{note}</span>
      </dd>
      {children !== undefined && <dd>{children}</dd>}
    </div>
  );
}
