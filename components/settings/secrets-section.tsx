'use client';

import { KeyRound, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { KeyTest } from '@/components/keys/key-test';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Select } from '@/components/ui/select';
import { TimeAgo } from '@/components/ui/time-ago';
import type { KeyReport } from '@/lib/base/key-report';
import { keyVariables } from '@/lib/cards/models/providers';
import { namedBy } from './named-by';
import { SecretForm } from './secret-form';
import { type NamedProject, nameOfProject } from './secret-projects';
import type { SecretServices, ShownSecret, ShownSecrets } from './secret-types';

export interface SecretsSectionProps {
  /** The projects to choose from. */
  readonly projects: readonly NamedProject[];
  /** The project that is chosen first; `undefined` for the installation. */
  readonly project: string | undefined;
  /** True if the person sets secrets of every project. */
  readonly installation: boolean;
  readonly services: SecretServices;
}

const everyProject = 'installation';

/** Secrets of the installation and of projects: where they go, who uses them. Values are written and never shown. */
export function SecretsSection({ projects, project: asked, installation, services }: SecretsSectionProps) {
  const [project, setProject] = useState(asked ?? (installation ? undefined : projects[0]?.id));
  const [listed, setListed] = useState<ShownSecrets>();
  const [fault, setFault] = useState<string>();
  const [edited, setEdited] = useState<ShownSecret | 'new'>();
  const [removed, setRemoved] = useState<ShownSecret>();
  const latest = useRef<string>(undefined);
  useEffect(() => {
    latest.current = project;
    setListed(undefined);
    // A refusal was about the place before.
    setFault(undefined);
    services.list(project).then(
      // An answer for another place must not replace this one.
      (found) => latest.current === project && setListed(found),
      (error: unknown) => latest.current === project && setFault(messageOf(error)),
    );
  }, [project, services]);
  return (
    <div className="flex flex-col">
      <div className="flex flex-wrap items-center gap-2 px-4 py-3">
        <PlaceSelect {...{ projects, installation, project }} onChoose={setProject} />
        <Button size="sm" icon={<Plus aria-hidden className="size-3.5" />} onClick={() => setEdited('new')}>
          New secret
        </Button>
      </div>
      {fault !== undefined && (
        <p role="alert" className="px-4 pb-3 text-bad text-sm">
          {fault}
        </p>
      )}
      {listed?.secrets.length === 0 && <NoSecrets isOfAll={project === undefined} />}
      {listed !== undefined && (
        <SecretList
          secrets={listed.secrets}
          isOfAll={project === undefined}
          projects={projects}
          onReplace={setEdited}
          onRemove={setRemoved}
          onTest={(name) => services.testKey(project, name)}
        />
      )}
      {listed !== undefined && listed.unread > 0 && <Unread count={listed.unread} />}
      {edited !== undefined && (
        <SecretForm
          secret={edited === 'new' ? undefined : edited}
          projects={project === undefined ? projects : undefined}
          needsBounds={listed?.needsBounds === true}
          onClose={() => setEdited(undefined)}
          onTest={(name, value) => services.testKey(project, name, value)}
          onSave={async (secret) => {
            setListed(await services.save(project, secret));
            setEdited(undefined);
          }}
        />
      )}
      <ConfirmDialog
        open={removed !== undefined}
        onOpenChange={(open) => !open && setRemoved(undefined)}
        title={`Remove ${removed?.name}?`}
        confirm="Remove secret"
        onConfirm={() => {
          if (removed === undefined) return;
          setRemoved(undefined);
          services.remove(project, removed.name).then(setListed, (error: unknown) => setFault(messageOf(error)));
        }}
      >
        Runs that begin later do not get it. Its value cannot be brought back.
      </ConfirmDialog>
    </div>
  );
}

interface PlaceSelectProps extends Pick<SecretsSectionProps, 'projects' | 'project' | 'installation'> {
  readonly onChoose: (project: string | undefined) => void;
}

/** Chooses whose secrets are shown. */
function PlaceSelect({ projects, project, installation, onChoose }: PlaceSelectProps) {
  return (
    <Select
      aria-label="Secrets of"
      size="sm"
      className="max-w-64"
      value={project ?? everyProject}
      onValueChange={(value) => onChoose(value === everyProject ? undefined : value)}
      options={[
        ...(installation ? [{ value: everyProject, label: 'Every project' }] : []),
        ...projects.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}

function NoSecrets({ isOfAll }: { readonly isOfAll: boolean }) {
  return (
    <p className="border-t px-4 py-3 text-muted text-sm">
      No secrets yet. A key of a model provider, such as OPENAI_API_KEY, serves the models of{' '}
      {isOfAll ? 'every project' : 'this project'}; servers get the secrets that they use.
    </p>
  );
}

function Unread({ count }: { readonly count: number }) {
  return (
    <p className="border-t px-4 py-3 text-muted text-xs">
      {count === 1 ? 'One set of files was' : `${count} sets of files were`} not searched for names yet. Load the page
      again.
    </p>
  );
}

interface SecretListProps {
  readonly secrets: readonly ShownSecret[];
  /** True for secrets of the installation. */
  readonly isOfAll: boolean;
  readonly projects: readonly NamedProject[];
  readonly onReplace: (secret: ShownSecret) => void;
  readonly onRemove: (secret: ShownSecret) => void;
  readonly onTest: (name: string) => Promise<KeyReport>;
}

function SecretList({ secrets, isOfAll, projects, onReplace, onRemove, onTest }: SecretListProps) {
  return (
    <ul>
      {secrets.map((secret) => (
        <SecretItem
          key={`${secret.name} ${secret.at}`}
          secret={secret}
          isOfAll={isOfAll}
          projects={projects}
          onReplace={() => onReplace(secret)}
          onRemove={() => onRemove(secret)}
          onTest={() => onTest(secret.name)}
        />
      ))}
    </ul>
  );
}

interface SecretItemProps {
  readonly secret: ShownSecret;
  readonly isOfAll: boolean;
  readonly projects: readonly NamedProject[];
  readonly onReplace: () => void;
  readonly onRemove: () => void;
  readonly onTest: () => Promise<KeyReport>;
}

function SecretItem({ secret, isOfAll, projects, onReplace, onRemove, onTest }: SecretItemProps) {
  const { name, by, at, uses } = secret;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t px-4 py-3 first:border-t">
      <KeyRound aria-hidden className="size-4 shrink-0 text-faint" />
      <div className="min-w-0 flex-1 basis-52">
        <p className="break-all font-mono text-ink text-sm">{name}</p>
        <p className="text-muted text-xs">
          {whereTo(secret, projects)} · set <TimeAgo at={at} /> by {by}
        </p>
        <p className="break-words text-muted text-xs">{namedBy(secret.namedBy, isOfAll)}</p>
        <p className="text-faint text-xs">{usedBy(uses)}</p>
        {keyVariables.includes(name) && (
          <div className="mt-2">
            <KeyTest name={name} onTest={onTest} />
          </div>
        )}
      </div>
      <div className="flex gap-1.5">
        <Button size="sm" aria-label={`Replace ${name}`} onClick={onReplace}>
          Replace
        </Button>
        <Button size="sm" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </li>
  );
}

function whereTo(secret: ShownSecret, projects: readonly NamedProject[]): string {
  const { name, hosts, projects: only } = secret;
  const named = only.map((id) => nameOfProject(projects, id));
  const inProjects = named.length === 0 ? '' : ` in ${named.join(', ')}`;
  if (keyVariables.includes(name)) return `For models${inProjects}`;
  return `${hosts.length === 0 ? 'For every server that uses it' : `Only for ${hosts.join(', ')}`}${inProjects}`;
}

const mostNamed = 3;

function usedBy(uses: ShownSecret['uses']): string {
  if (uses.length === 0) return 'No run has used it yet';
  const names = uses.slice(0, mostNamed).map(({ name }) => name);
  const more = uses.length - names.length;
  return `Used by runs of ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The secrets could not be read. Load the page again.';
}
