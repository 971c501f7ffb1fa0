'use client';

import type { ReactNode } from 'react';
import { PeopleProvider, type PeopleServices } from '@/components/people/people-context';
import { ToldQuestions } from '@/components/people/told-questions';
import { callAction } from './call-action';
import { answer, answerAll, revoke } from './people-actions';

const services: PeopleServices = {
  async answer(item, input) {
    const answered = await callAction(() => answer({ item, ...input }));
    return answered.ok ? undefined : answered.message;
  },
  async answerAll(items, input) {
    const answered = await callAction(() => answerAll({ items: [...items], ...input }));
    return answered.ok ? answered.value : answered.message;
  },
  async revoke(grant) {
    const revoked = await callAction(() => revoke({ grant }));
    return revoked.ok ? undefined : revoked.message;
  },
};

/** Lets every page answer questions of runs, and tell of new ones. */
export function PeopleServicesProvider({ children }: { readonly children: ReactNode }) {
  return (
    <PeopleProvider services={services}>
      {children}
      <ToldQuestions />
    </PeopleProvider>
  );
}
