import type { Actor } from '@/lib/base/actor';
import { type Check, type CheckResult, runGate } from '@/lib/base/gate';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import type { Closure } from '@/lib/cards/closure';
import type { Store } from '@/lib/store/database';
import { readTree } from '@/lib/store/trees';
import { checkProject } from './projects';

/** What is to be published, and where to. */
export interface GateSubject {
  readonly project: ProjectId;
  readonly label: string;
  readonly treeHash: TreeHash;
  readonly closure: Pick<Closure, 'hash'>;
}

/** What the checks read. It is collected once. */
export interface GateFacts extends GateSubject {
  readonly issues: readonly Issue[];
}

/** Every check, in the order in which people read the results. */
const checks: readonly Check<GateFacts>[] = [problems];

/** Collects the facts and runs every check. It executes nothing of the project. */
export async function gate(store: Store, actor: Actor, subject: GateSubject): Promise<readonly CheckResult[]> {
  const { issues } = await checkProject(actor, await readTree(store.prisma, subject.treeHash));
  return runGate(checks, { ...subject, issues });
}

/** Problems of severity error stop a release, because runs of such a folder fail. */
export function problems({ issues }: Pick<GateFacts, 'issues'>): CheckResult {
  const errors = issues.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first === undefined)
    return { id: 'problems', ok: true, sentence: 'The files have no errors.', overridable: true };
  const count = errors.length === 1 ? 'one error' : `${errors.length} errors`;
  const sentence = `The files have ${count}. ${first.file}:${first.line}: ${first.message}`;
  return { id: 'problems', ok: false, sentence, overridable: true };
}
