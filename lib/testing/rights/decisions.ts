import type { Actor } from '@/lib/base/actor';
import { type Action, actions, type Decision, decide } from '@/lib/base/rights';
import { everyActor } from './actors';
import type { FullProject } from './full-project';

/** What is decided for an address or an action of the app. */
export interface Decided {
  readonly action: Action;
  /**
   * What it is about: a project, or what belongs to one; the installation; or a list, which has only what the actor may see. `open`:
   * it needs no sign-in.
   */
  readonly of: 'project' | 'run' | 'item' | 'grant' | 'task' | 'target' | 'alert' | 'installation' | 'list' | 'open';
  /** What must be allowed in the installation besides. */
  readonly also?: Action;
  /** What must be allowed in the project besides. */
  readonly andIn?: Action;
  readonly query?: (full: FullProject) => string;
  /** The body of a request, or the input of an action. A text is no JSON. */
  readonly input?: (full: FullProject) => unknown;
  /** The header `Accept` of the request. */
  readonly accept?: string;
  /** Set if it is about another run of the project, instead of the first or besides it. */
  readonly another?: 'instead' | 'besides';
  /** Set if an answer to whoever may has the mark of the project. */
  readonly shows?: true;
  /** What a list answers, if the project is in it or not. */
  readonly says?: (isIn: boolean) => string;
  /** Set for a list that changes what is in it, or is noted in its audit log. */
  readonly changes?: true;
  /** Set if a name in it may be a new one, which it then makes. */
  readonly makes?: true;
  /** Set if it is about something that is not there, so that what is allowed finds nothing. */
  readonly misses?: true;
  /** The code for an actor who may not know of it, if it is not `not_found`. */
  readonly unseen?: 'bad_request';
}

export function about(of: Decided['of'], action: Action, rest: Omit<Decided, 'of' | 'action'> = {}): Decided {
  return { of, action, ...rest };
}

/** Returns what is decided for an actor about something of a project, where `run` is the run that a share link may show. */
export function decisionFor(decided: Decided, actor: Actor, full: FullProject): Decision {
  const { also, andIn } = decided;
  const all = [
    first(decided, actor, full),
    also === undefined ? 'allowed' : decide(actor.reach, also, null),
    andIn === undefined ? 'allowed' : decide(actor.reach, andIn, full.project),
  ] as const;
  return all.find((each) => each !== 'allowed') ?? 'allowed';
}

function first({ action, of, another }: Decided, { reach }: Actor, { project, run }: FullProject): Decision {
  const decision = decide(reach, action, of === 'installation' ? null : project);
  if (reach === 'all' || reach.kind !== 'share') return decision;
  // To whoever has a link, there is nothing but its run.
  const isOwn = of === 'run' && reach.run === run && another !== 'instead';
  return isOwn && !(decision === 'allowed' && another === 'besides') ? decision : 'unseen';
}

export interface Asker {
  readonly kind: string;
  readonly actor: Actor;
  readonly decision: Decision;
}

/**
 * Returns who asks: those to whom other projects are shown, and the fewest others whose decisions tell the action from every other one.
 * The tests of `lib/base/rights.ts` have the decisions of all actions for all kinds of actor.
 */
export function tellingActors(decided: Decided, full: FullProject): readonly Asker[] {
  const all = [...everyActor(full)].flatMap(([kind, actor]) =>
    actor === undefined ? [] : [{ kind, actor, decision: decisionFor(decided, actor, full) }],
  );
  const differs = (other: Decided) => (asker: Asker) => decisionFor(other, asker.actor, full) !== asker.decision;
  const chosen = all.filter(({ kind }) => /another|link/.test(kind));
  let alike = otherDecisions(decided).filter((other) => all.some(differs(other)) && !chosen.some(differs(other)));
  while (alike.length > 0) {
    const [most] = all
      .map((asker) => ({ asker, left: alike.filter((other) => !differs(other)(asker)) }))
      .sort((a, b) => a.left.length - b.left.length);
    if (most === undefined) break;
    chosen.push(most.asker);
    alike = most.left;
  }
  return chosen;
}

function otherDecisions(decided: Decided): readonly Decided[] {
  const elsewhere = { ...decided, of: decided.of === 'installation' ? 'project' : 'installation' } as const;
  const { also: _also, andIn: _andIn, ...alone } = decided;
  const all = Object.keys(actions) as Action[];
  return [
    alone,
    ...all.flatMap((action) => [
      { ...decided, action },
      { ...elsewhere, action },
    ]),
  ];
}
