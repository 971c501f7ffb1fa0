'use client';

import { createContext, use } from 'react';
import type { PublishServices } from './revision-types';

export interface Publishing extends PublishServices {
  /** The names of the drafts of the project. */
  readonly drafts: readonly string[];
}

/** What the editor publishes with. Without it there is nothing to publish, as on pages of examples. */
export const PublishContext = createContext<Publishing | undefined>(undefined);

export function usePublishing(): Publishing | undefined {
  return use(PublishContext);
}
