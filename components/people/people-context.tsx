'use client';

import { createContext, type ReactNode, use } from 'react';
import type { AnswerInput } from '@/lib/base/pending-info';

/** What pages can do with questions to people. */
export interface PeopleServices {
  /** Answers a question. Resolves to a sentence that says why the answer was not kept, or to `undefined`. */
  readonly answer: (item: string, input: AnswerInput) => Promise<string | undefined>;
  /** Forgets a remembered approval. Resolves to a sentence that says why not, or to `undefined`. */
  readonly revoke: (grant: string) => Promise<string | undefined>;
}

const PeopleContext = createContext<PeopleServices | undefined>(undefined);

export function PeopleProvider(props: { readonly services: PeopleServices; readonly children: ReactNode }) {
  return <PeopleContext value={props.services}>{props.children}</PeopleContext>;
}

/** Returns `undefined` where nothing can be answered, such as in a page without a server. */
export function usePeople(): PeopleServices | undefined {
  return use(PeopleContext);
}
