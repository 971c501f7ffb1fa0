import { z } from 'zod';
import { AuditChain, type AuditEntry } from '@/lib/base/audit';
import { brandAs, type EpochMs, type ProjectId } from '@/lib/base/ids';
import { parseJson } from '@/lib/base/json';

const shape = z
  .object({
    seq: z.number(),
    at: z.number(),
    actor: z.string(),
    via: z.string(),
    action: z.string(),
    object: z.string(),
    project: z.string().nullable(),
    body: z.string(),
    prev: z.string(),
    hash: z.string(),
  })
  .transform(({ at, project, ...entry }): AuditEntry => {
    return { ...entry, at: brandAs<EpochMs>(at), project: project === null ? null : brandAs<ProjectId>(project) };
  });

export interface CheckedAudit {
  /** What is wrong with the first entry that is; `undefined` if nothing is. */
  readonly fault: string | undefined;
  /** The number of the first entry; `undefined` if there is none. */
  readonly first: number | undefined;
  readonly head: AuditChain['head'];
}

/** Checks the chain of an exported audit log, line by line. Throws an Error for users at a line that is no entry. */
export async function checkAuditLines(lines: AsyncIterable<string>): Promise<CheckedAudit> {
  const chain = new AuditChain();
  let first: number | undefined;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const entry = shape.safeParse(parseJson(line));
    if (!entry.success) throw new Error(`Line ${chain.head.count + 1} is no entry of an audit log.`);
    first ??= entry.data.seq;
    const fault = chain.add(entry.data);
    if (fault !== undefined) return { fault, first, head: chain.head };
  }
  return { fault: undefined, first, head: chain.head };
}
