'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useMemo } from 'react';
import { KeyContext, type KeyServices } from '@/components/keys/key-context';
import { onKeysChanged } from '@/lib/client/stored-keys';
import { beginModelList } from './secret-actions';
import { keyReport, secretServices } from './secret-services';
import { storeKey } from './store-key';

const services: KeyServices = {
  async store(project, variable, key) {
    await storeKey(secretServices, project, { name: variable, value: key });
  },
  test: (project, variable, key) => secretServices.testKey(project, variable, key),
  async storeSecret(project, { name, value, host }) {
    await secretServices.save(project, { name, value, hosts: [host], projects: [] });
  },
  listModels: (project, own) => keyReport(() => beginModelList({ project, ...own })),
};

interface KeyServicesProviderProps {
  /** True if the person sets keys of every project; `undefined` for people who are not signed in. */
  readonly everywhere: boolean | undefined;
  readonly children: ReactNode;
}

/** Lets every page set keys of model providers. After a change, here or in another tab, each page shows what there is then. */
export function KeyServicesProvider({ everywhere, children }: KeyServicesProviderProps) {
  const { refresh } = useRouter();
  useEffect(() => onKeysChanged(refresh), [refresh]);
  const desk = useMemo(() => (everywhere === undefined ? undefined : { services, everywhere }), [everywhere]);
  return <KeyContext value={desk}>{children}</KeyContext>;
}
