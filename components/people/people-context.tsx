'use client';

import { createContext, type ReactNode, use } from 'react';
import type { AnswerInput, AnswerResult } from '@/lib/base/pending-info';

/** What pages can do with questions to people. */
export interface PeopleServices {
  /** Answers a question. Resolves to a sentence that says why the answer was not kept, or to `undefined`. */
  readonly answer: (item: string, input: AnswerInput) => Promise<string | undefined>;
  /**
   * Answers several questions in the same way. Resolves to the result of each, in their order, or to a sentence that says why
   * nothing was sent.
   */
  readonly answerAll: (items: readonly string[], input: AnswerInput) => Promise<readonly AnswerResult[] | string>;
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
