import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import { type Found, limitChange, listChange, otherChange, rankedChange, switchChange } from './capability-change';

/** What a sentence about one option of a delegation is about, by the path of the option. */
export type About = (field: string) => Parameters<typeof switchChange>[0];

/** State, history, artifacts and files that go down to the child or come up from it. */
export function dataChanges(
  about: About,
  name: string,
  child: string,
  old: DelegationOptions,
  now: DelegationOptions,
  usual: UsualEffects,
): Found[] {
  const edge = `agent '${child}' by agent '${name}'`;
  const downOf = ({ state }: DelegationOptions) =>
    typeof state?.down === 'object' ? 'some keys' : (state?.down ?? 'filtered');
  const keysOf = ({ state }: DelegationOptions) => (typeof state?.down === 'object' ? state.down.keys : []);
  const historyOf = ({ history = 'none' }: DelegationOptions) =>
    typeof history === 'object' ? history.last : history === 'full' ? undefined : 0;
  return [
    ...rankedChange(
      about('state.down'),
      ['none', 'some keys', 'filtered'],
      downOf(old),
      downOf(now),
      `Agent '${child}' now gets ${downWords[downOf(now)]} the state of agent '${name}'.`,
    ),
    ...(downOf(old) === downOf(now)
      ? listChange(about('state.down'), keysOf(old), keysOf(now), (key, isNew) => {
          return `Agent '${child}' ${isNew ? 'now gets' : 'no longer gets'} the state '${key}' of agent '${name}'.`;
        })
      : []),
    ...switchChange(
      about('state.isolate'),
      old.state?.isolate === true,
      now.state?.isolate === true,
      {
        on: `Agent '${name}' no longer gets the state that agent '${child}' writes.`,
        off: `Agent '${name}' now gets the state that agent '${child}' writes.`,
      },
      'less',
    ),
    ...scopeChange(
      about('state.write_keys'),
      [`Agent '${child}'`, 'write the state'],
      `for agent '${name}'`,
      old.state?.write_keys,
      now.state?.write_keys,
    ),
    ...conflictChanges(about, edge, old, now),
    ...switchChange(about('artifacts.forward'), old.artifacts?.forward !== false, now.artifacts?.forward !== false, {
      on: `Agent '${child}' now uses the artifacts of agent '${name}'.`,
      off: `Agent '${child}' no longer uses the artifacts of agent '${name}'.`,
    }),
    ...scopeChange(
      about('artifacts.write_prefixes'),
      [`Agent '${child}'`, 'save the artifacts'],
      `for agent '${name}'`,
      old.artifacts?.write_prefixes,
      now.artifacts?.write_prefixes,
      true,
    ),
    ...historyChanges(about('history'), name, child, historyOf(old), historyOf(now)),
    ...fileChanges(about, edge, old.attachments, now.attachments, usual),
  ];
}

/** `undefined` is all earlier messages. */
function historyChanges(
  about: ReturnType<About>,
  name: string,
  child: string,
  old: number | undefined,
  now: number | undefined,
): Found[] {
  if (old === now) return [];
  const words = (count: number | undefined) =>
    count === undefined ? 'all' : count === 0 ? 'none' : `the last ${count}`;
  const sentence = `Agent '${child}' now gets ${words(now)} of the earlier messages of agent '${name}'. Before it was ${words(old)}.`;
  return [{ ...about, weight: (now ?? Infinity) > (old ?? Infinity) ? 'more' : 'less', sentence }];
}

/** What happens when the state changed while the child ran. */
function conflictChanges(about: About, edge: string, old: DelegationOptions, now: DelegationOptions): Found[] {
  const only = (list: readonly string[] = []) => [...list].sort().join(', ');
  return [
    ...rankedChange(
      about('state.on_conflict'),
      ['reject', 'overwrite'],
      old.state?.on_conflict ?? 'overwrite',
      now.state?.on_conflict ?? 'overwrite',
      `When the state changed meanwhile, calls of ${edge} now ${now.state?.on_conflict === 'reject' ? 'fail' : 'overwrite it'}.`,
    ),
    ...(only(old.state?.conflict_exempt) === only(now.state?.conflict_exempt)
      ? []
      : otherChange(
          about('state.conflict_exempt'),
          only(old.state?.conflict_exempt),
          only(now.state?.conflict_exempt),
          (_, to) => {
            return `The state keys that calls of ${edge} may overwrite are now: ${to || 'none'}.`;
          },
        )),
  ];
}

type Attachments = DelegationOptions['attachments'];

/** What the project says of files that calls hand over. */
interface UsualEffects {
  readonly before: 'allow' | 'ask' | undefined;
  readonly after: 'allow' | 'ask' | undefined;
}

/** Files that a call hands to the child. Without the option, or with none allowed, a call takes no files. */
function fileChanges(about: About, edge: string, old: Attachments, now: Attachments, usual: UsualEffects): Found[] {
  const takes = (one: Attachments) => one !== undefined && one.max !== 0;
  if (!takes(old) || !takes(now)) {
    return switchChange(about('attachments'), takes(old), takes(now), {
      on: `Calls of ${edge} may now hand over files of the project.`,
      off: `Calls of ${edge} may no longer hand over files of the project.`,
    });
  }
  return [
    ...limitChange(about('attachments.max'), `The limit of files of calls of ${edge}`, old?.max ?? 4, now?.max ?? 4),
    ...limitChange(
      about('attachments.max_bytes'),
      `The limit of bytes of files of calls of ${edge}`,
      old?.max_bytes ?? 10_000_000,
      now?.max_bytes ?? 10_000_000,
    ),
    ...scopeChange(
      about('attachments.allow'),
      [`Calls of ${edge}`, 'hand over the files'],
      '',
      anyOf(old?.allow),
      anyOf(now?.allow),
    ),
    ...listChange(
      about('attachments.deny'),
      old?.deny ?? [],
      now?.deny ?? [],
      (ending, isNew) => {
        return `Calls of ${edge} ${isNew ? 'may no longer' : 'may now'} hand over files that end in '${ending}'.`;
      },
      'less',
    ),
    ...fileApprovals(about, edge, old, now, usual),
  ];
}

const downWords = { none: 'nothing of', 'some keys': 'only some keys of', filtered: 'all public keys of' } as const;

/** An empty list of endings allows all files. */
function anyOf(list: readonly string[] | undefined): readonly string[] | undefined {
  return list?.length === 0 ? undefined : list;
}

/** Whether a person is asked for each file. Where a delegation does not say it, the project does, whose change is told there. */
function fileApprovals(about: About, edge: string, old: Attachments, now: Attachments, usual: UsualEffects): Found[] {
  if (old?.approval === now?.approval) return [];
  return switchChange(
    { ...about('attachments.approval'), kind: 'approval' },
    (old?.approval ?? usual.before) === 'ask',
    (now?.approval ?? usual.after) === 'ask',
    {
      on: `Files of calls of ${edge} now ask for approval.`,
      off: `Files of calls of ${edge} no longer ask for approval.`,
    },
    'less',
  );
}

/** Compares a list of what is allowed. `undefined` allows everything. */
function scopeChange(
  about: ReturnType<About>,
  [who, does]: readonly [who: string, does: string],
  whom: string,
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
  isPrefix = false,
): Found[] {
  const end = whom === '' ? '' : ` ${whom}`;
  const what = `${who} may ${does}`;
  const isTaken = (entry: string, others: readonly string[]) =>
    isPrefix && others.some((other) => other !== entry && entry.startsWith(other));
  if (before === undefined && after === undefined) return [];
  if (after === undefined)
    return [
      {
        ...about,
        weight: 'more',
        sentence: `${what} without a limit${end}. Before it was: ${before?.join(', ') || 'none'}.`,
      },
    ];
  if (before === undefined)
    return [
      { ...about, weight: 'less', sentence: `${what} only if they are listed${end}: ${after.join(', ') || 'none'}.` },
    ];
  return listChange(
    about,
    before.filter((entry) => after.includes(entry) || !isTaken(entry, after)),
    after.filter((entry) => before.includes(entry) || !isTaken(entry, before)),
    (entry, isNew) => `${who} may ${isNew ? 'now' : 'no longer'} ${does} '${entry}'${end}.`,
  );
}
