'use client';

import { createContext, use } from 'react';
import { type ProjectAccess, type ProjectAction, whyNot } from '@/lib/base/project-access';
import { everyProjectRight } from '@/lib/base/rights';

/** What one person without accounts has. */
const everything: ProjectAccess = { rights: everyProjectRight, role: null, ask: '', accounts: false };

/** What the person may do in the project of a page. Pages without accounts need not set it. */
export const AccessContext = createContext<ProjectAccess>(everything);

export function useAccess(): ProjectAccess {
  return use(AccessContext);
}

/** Returns why the person may not do something in the project of the page, or `undefined` if it is allowed. */
export function useWhyNot(action: ProjectAction): string | undefined {
  return whyNot(useAccess(), action);
}
