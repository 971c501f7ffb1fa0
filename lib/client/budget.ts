import * as z from 'zod/mini';
import type { BudgetNotice } from '@/lib/base/limits';
import { getJson } from './ask-shape';
import { projectAddress } from './project-address';

const notice: z.ZodMiniType<BudgetNotice> = z.object({ isSpent: z.boolean(), text: z.string(), mayRaise: z.boolean() });
const answer = z.object({ notice: z.nullable(notice) });

/** Returns what is told about the budget of a project, or null. Rejects with a `RequestError`. */
export async function readBudgetNotice(project: string): Promise<BudgetNotice | null> {
  return (await getJson(`${projectAddress(project)}/budget`, answer)).notice;
}
