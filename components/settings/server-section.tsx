'use client';

import Link from 'next/link';
import { useEffect, useRef, useState } from 'react';
import { TestResult } from '@/components/servers/test-result';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import type { ServerConfig } from '@/lib/cards/config';
import { findProjectNames } from '@/lib/client/projects';
import type { ServerTest } from '@/lib/editor/server-tests';
import type { EditorServices } from '@/lib/editor/services';
import { SignInButton, SignInList } from './sign-in';
import type { SignInServices } from './sign-in-types';

export interface NamedProject {
  readonly id: string;
  readonly name: string;
}

interface FoundProjects {
  readonly projects: readonly NamedProject[];
  readonly total: number;
}

export interface ServerSectionProps {
  /** The first projects; `undefined` if they could not be read. */
  readonly first: FoundProjects | undefined;
  readonly servicesOf: (project: string) => Pick<EditorServices, 'probeServer'>;
  readonly signIns: SignInServices;
}

/** The servers of these many projects are shown at once. Those of others are read when they are opened. */
const openAtFirst = 3;

/** Lists the MCP servers of each project, and tests them as a run would start or call them. */
export function ServerSection({ first, servicesOf, signIns }: ServerSectionProps) {
  if (first === undefined)
    return <p className="px-4 py-3 text-muted text-sm">The projects cannot be read now. Load the page again.</p>;
  if (first.total === 0) return <p className="px-4 py-3 text-muted text-sm">There is no project yet.</p>;
  return <Projects first={first} servicesOf={servicesOf} signIns={signIns} />;
}

function Projects({ first, servicesOf, signIns }: ServerSectionProps & { readonly first: FoundProjects }) {
  const [found, setFound] = useState(first);
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const asked = useRef('');
  const search = (typed: string) => {
    setText(typed);
    asked.current = typed;
    findProjectNames(typed).then(
      (names) => {
        // An older answer must not replace a newer one.
        if (asked.current !== typed) return;
        setFound(names);
        setFault(undefined);
      },
      (error: unknown) => setFault(error instanceof Error ? error.message : 'The projects could not be read.'),
    );
  };
  const { projects, total } = found;
  return (
    <div className="flex flex-col">
      {first.total > first.projects.length || text !== '' ? (
        <div className="px-4 pt-3">
          <Input
            aria-label="Search projects"
            placeholder="Search projects"
            className="max-w-sm"
            value={text}
            maxLength={200}
            onChange={(event) => search(event.currentTarget.value)}
          />
        </div>
      ) : null}
      {fault === undefined ? null : <p className="px-4 py-2 text-bad text-sm">{fault}</p>}
      <ul className="divide-y">
        {projects.map((project, index) => (
          <ProjectServers
            key={project.id}
            project={project}
            services={servicesOf(project.id)}
            signIns={signIns}
            open={index < openAtFirst}
          />
        ))}
      </ul>
      {total > projects.length ? (
        <p className="border-t px-4 py-2 text-faint text-xs">
          {projects.length} of {total} projects. Search for others.
        </p>
      ) : null}
    </div>
  );
}

interface ProjectServersProps {
  readonly project: NamedProject;
  readonly services: Pick<EditorServices, 'probeServer'>;
  readonly signIns: SignInServices;
  readonly open: boolean;
}

type Loaded = { readonly servers: readonly ServerConfig[] } | { readonly fault: string };

function ProjectServers({ project, services, signIns, open }: ProjectServersProps) {
  const [isOpen, setOpen] = useState(open);
  const [loaded, setLoaded] = useState<Loaded>();
  useEffect(() => {
    if (!isOpen || loaded !== undefined) return;
    let gone = false;
    serversIn(project.id).then(
      (servers) => {
        if (!gone) setLoaded({ servers });
      },
      (error: unknown) => {
        if (!gone) setLoaded({ fault: error instanceof Error ? error.message : 'Its files could not be read.' });
      },
    );
    return () => {
      gone = true;
    };
  }, [isOpen, loaded, project.id]);
  return (
    <li className="px-4 py-2">
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="cursor-pointer break-words font-medium text-ink text-sm">{project.name}</summary>
        <div className="mt-2 flex flex-col gap-2 pl-4">
          {loaded === undefined ? <p className="text-faint text-xs">Reading…</p> : null}
          {loaded !== undefined && 'fault' in loaded ? (
            <span className="flex items-center gap-2 text-bad text-xs">
              {loaded.fault}
              <Button size="sm" onClick={() => setLoaded(undefined)}>
                Try again
              </Button>
            </span>
          ) : null}
          {loaded !== undefined && 'servers' in loaded ? (
            loaded.servers.length === 0 ? (
              <p className="text-muted text-xs">It configures no MCP server.</p>
            ) : (
              <ul aria-label={`Servers of ${project.name}`} className="flex flex-col gap-2">
                {loaded.servers.map((server) => (
                  <ServerRow
                    key={server.name}
                    server={server}
                    services={services}
                    beginSignIn={() => signIns.begin(project.id, server.name)}
                  />
                ))}
              </ul>
            )
          ) : null}
          {isOpen && <SignInList project={project.id} services={signIns} />}
          <Link href={`/p/${project.id}`} className="w-fit text-accent text-xs underline-offset-2 hover:underline">
            Open {project.name}
          </Link>
        </div>
      </details>
    </li>
  );
}

interface ServerRowProps {
  readonly server: ServerConfig;
  readonly services: Pick<EditorServices, 'probeServer'>;
  readonly beginSignIn: () => ReturnType<SignInServices['begin']>;
}

function ServerRow({ server, services, beginSignIn }: ServerRowProps) {
  const [test, setTest] = useState<ServerTest>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  async function run() {
    const controller = new AbortController();
    stop.current = controller;
    setTest({ phase: 'running' });
    const asked = await services.probeServer(server.name, { signal: controller.signal });
    if (asked.ok) setTest({ phase: 'done', report: asked.report });
    else {
      const next = asked.notTrusted ? ' Open the project and confirm it there, then test again.' : '';
      setTest({ phase: 'failed', message: `${asked.message}${next}` });
    }
  }
  return (
    <li className="flex min-w-0 flex-col gap-2 rounded border bg-ground px-3 py-2">
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate font-medium text-ink text-sm">{server.name}</span>
        <Badge>{server.transport}</Badge>
        <code className="min-w-0 flex-1 truncate text-right font-mono text-faint text-xs" title={addressOf(server)}>
          {addressOf(server)}
        </code>
      </span>
      <TestResult
        server={server.name}
        test={test}
        compact
        onTest={() => void run()}
        onStop={() => stop.current?.abort()}
      />
      {test?.phase === 'done' && test.report.needsSignIn && (
        <SignInButton key={test.report.probedAt} server={server.name} begin={beginSignIn} />
      )}
    </li>
  );
}

function addressOf({ url, command, args }: ServerConfig): string {
  return url ?? [command, ...args].join(' ');
}

/** Only the configuration is read, because cards and code say nothing of how a server is reached. */
async function serversIn(project: string): Promise<readonly ServerConfig[]> {
  // What reads files is larger than the page, and no project may be opened here.
  const [{ readFiles }, { readFolder }] = await Promise.all([
    import('@/lib/client/project-files'),
    import('@/lib/cards/project/read-folder'),
  ]);
  const { folder } = await readFiles(project);
  const config = [...folder].filter(([path]) => /(?:^|\/)(?:fast-agent|fastagent\.config)\.ya?ml$/.test(path));
  return Object.values(readFolder(new Map(config)).config.servers);
}
