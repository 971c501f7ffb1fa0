'use client';

import { createContext, use } from 'react';
import { useAccess } from '@/components/access/access-context';
import type { KeyReport } from '@/lib/base/key-report';
import { whyNot } from '@/lib/base/project-access';

/** Each rejects with an Error whose message users may see. Without a project it is about every project. */
export interface KeyServices {
  /** Stores the key with this variable. Runs that begin later use it. */
  store(project: string | undefined, variable: string, key: string): Promise<void>;
  /** Tries a key at its provider without storing it. */
  test(project: string | undefined, variable: string, key: string): Promise<KeyReport>;
  /** Stores a secret of a project that may go to one host alone. */
  storeSecret(
    project: string,
    secret: { readonly name: string; readonly value: string; readonly host: string },
  ): Promise<void>;
  /** Asks an address of one's own for its models. Nothing is stored. */
  listModels(
    project: string,
    own: { readonly section: string; readonly address: string; readonly key: string | undefined },
  ): Promise<KeyReport>;
}

export interface KeyDesk {
  readonly services: KeyServices;
  /** True if the person sets keys of every project. */
  readonly everywhere: boolean;
}

/** Without it, as on a shared page, nobody sets keys. */
export const KeyContext = createContext<KeyDesk | undefined>(undefined);

export interface KeyProject {
  readonly id: string;
  readonly name: string;
}

/** The project of the page, whose keys a person may set there; `undefined` on pages of no project. */
export const KeyProjectContext = createContext<KeyProject | undefined>(undefined);

/** Stands for every project where an id of one may be. */
export const everyProject = 'every';

/** Returns the requests about keys; `undefined` where nobody sets keys. */
export function useKeyServices(): KeyServices | undefined {
  return use(KeyContext)?.services;
}

/** Where the person may store a key from this page. */
export type KeyPlaces =
  | { readonly may: true; readonly everywhere: boolean; readonly project: KeyProject | undefined }
  /** `why` says whom to ask. */
  | { readonly may: false; readonly why: string; readonly project?: undefined };

/** Returns where the person may store a key from this page; `undefined` if keys are nothing for the page. */
export function useKeyPlaces(): KeyPlaces | undefined {
  const desk = use(KeyContext);
  const project = use(KeyProjectContext);
  const access = useAccess();
  if (desk === undefined) return undefined;
  const refusal = project === undefined ? askAdministrator : whyNot(access, 'secrets.set');
  if (desk.everywhere || refusal === undefined) {
    return { may: true, everywhere: desk.everywhere, project: refusal === undefined ? project : undefined };
  }
  return { may: false, why: refusal };
}

const askAdministrator = 'Ask an administrator of this installation to set the key.';
