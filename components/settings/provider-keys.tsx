'use client';

import { CircleCheck, CircleDashed } from 'lucide-react';
import { useEffect, useState } from 'react';
import { everyProject, KeyProjectContext } from '@/components/keys/key-context';
import { KeyTest } from '@/components/keys/key-test';
import { SetKey } from '@/components/keys/set-key';
import { Select } from '@/components/ui/select';
import { TimeAgo } from '@/components/ui/time-ago';
import { type KeyedProvider, keyedProviders } from '@/lib/cards/models/missing-key';
import { onKeysChanged } from '@/lib/client/stored-keys';
import type { NamedProject } from './secret-projects';
import type { SecretServices, ShownSecret } from './secret-types';

export interface ProviderKeysProps {
  /** The projects to choose from. */
  readonly projects: readonly NamedProject[];
  /** True if the person sets keys of every project. */
  readonly installation: boolean;
  /** The variables of keys that every project has: from the environment, and from what is stored for all. */
  readonly given: { readonly environment: readonly string[]; readonly stored: readonly string[] };
  readonly services: Pick<SecretServices, 'list' | 'testKey'>;
}

/** The providers of models, each with its key: whether there is one, from where, a button to set it and one to try it. */
export function ProviderKeys({ projects, installation, given, services }: ProviderKeysProps) {
  const [place, setPlace] = useState(installation ? everyProject : projects[0]?.id);
  const { stored, fault } = useStored(place, services);
  if (place === undefined) {
    return <p className="px-4 py-3 text-muted text-sm">You manage no project here, so you set no keys.</p>;
  }
  const project = projects.find(({ id }) => id === place);
  return (
    <KeyProjectContext value={project}>
      {(projects.length > 1 || installation) && (
        <div className="border-b px-4 py-3">
          <Select
            aria-label="Keys of"
            size="sm"
            className="max-w-64"
            value={place}
            onValueChange={setPlace}
            options={[
              ...(installation ? [{ value: everyProject, label: 'Every project' }] : []),
              ...projects.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </div>
      )}
      {fault !== undefined && (
        <p role="alert" className="px-4 py-3 text-bad text-sm">
          {fault}
        </p>
      )}
      <ul aria-label="Providers" className="divide-y">
        {keyedProviders().map((provider) => (
          <ProviderRow
            key={provider.title}
            provider={provider}
            place={place}
            stored={stored?.find(({ name }) => variablesOf(provider).includes(name))}
            elsewhere={elsewhereOf(provider, given, place)}
            onTest={(name) => services.testKey(project?.id, name)}
          />
        ))}
      </ul>
    </KeyProjectContext>
  );
}

/** The secrets of a place, read again after each change. */
function useStored(place: string | undefined, { list }: Pick<SecretServices, 'list'>) {
  const [read, setRead] = useState<{
    readonly place: string;
    readonly stored?: readonly ShownSecret[];
    readonly fault?: string;
  }>();
  useEffect(() => {
    if (place === undefined) return undefined;
    let isShown = true;
    const load = () =>
      void list(place === everyProject ? undefined : place).then(
        ({ secrets }) => isShown && setRead({ place, stored: secrets }),
        (error: unknown) => isShown && setRead({ place, fault: messageOf(error) }),
      );
    load();
    const unsubscribe = onKeysChanged(load);
    return () => {
      isShown = false;
      unsubscribe();
    };
  }, [place, list]);
  return {
    stored: read?.place === place ? read?.stored : undefined,
    fault: read?.place === place ? read?.fault : undefined,
  };
}

function variablesOf({ variable, others }: KeyedProvider): readonly string[] {
  return [variable, ...others];
}

/** Says from where a key comes that is not stored in this place; `undefined` without one. */
function elsewhereOf(provider: KeyedProvider, given: ProviderKeysProps['given'], place: string): string | undefined {
  const isIn = (names: readonly string[]) => variablesOf(provider).some((name) => names.includes(name));
  if (place !== everyProject && isIn(given.stored)) return 'Set for every project';
  return isIn(given.environment) ? 'Set in the environment, at start' : undefined;
}

interface ProviderRowProps {
  readonly provider: KeyedProvider;
  readonly place: string;
  readonly stored: ShownSecret | undefined;
  readonly elsewhere: string | undefined;
  readonly onTest: (name: string) => ReturnType<SecretServices['testKey']>;
}

function ProviderRow({ provider, place, stored, elsewhere, onTest }: ProviderRowProps) {
  const isSet = stored !== undefined || elsewhere !== undefined;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-36">
        <p className="font-medium text-ink text-sm">{provider.title}</p>
        <p className="flex items-center gap-1.5 text-muted text-xs">
          {isSet ? (
            <CircleCheck aria-hidden className="size-3.5 shrink-0 text-ok" />
          ) : (
            <CircleDashed aria-hidden className="size-3.5 shrink-0 text-faint" />
          )}
          {stored === undefined ? (
            (elsewhere ?? 'No key')
          ) : (
            <span className="min-w-0 break-words">
              Key stored <TimeAgo at={stored.at} /> by {stored.by}
            </span>
          )}
        </p>
      </div>
      {stored !== undefined && (
        <KeyTest key={stored.at} name={`the key of ${provider.title}`} onTest={() => onTest(stored.name)} />
      )}
      <SetKey
        variable={stored?.name ?? provider.variable}
        place={place}
        label={stored === undefined ? 'Set key…' : 'Replace key…'}
      />
    </li>
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The keys could not be read. Load the page again.';
}
