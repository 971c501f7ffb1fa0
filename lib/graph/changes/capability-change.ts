/** One way in which a folder can do more, less, or something else than before. */
export interface CapabilityChange {
  readonly kind: CapabilityKind;
  /** `more` means more power: more that it can reach, spend or do without being asked. */
  readonly weight: Weight;
  /** One or two plain sentences. They hold no values of variables, headers or keys. */
  readonly sentence: string;
  /** What it is about. */
  readonly subject: Subject;
  /** What was and what is, as short texts, where the sentence compares two values. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly anchor: Anchor;
}

export type Weight = 'more' | 'same-but-different' | 'less';

/** In the order of the summary: what reaches furthest comes first. */
export const capabilityKinds = [
  'shell',
  'command',
  'python',
  'server',
  'host',
  'secret',
  'approval',
  'hook',
  'code',
  'tool',
  'resource',
  'prompt',
  'delegation',
  'worker',
  'remote agent',
  'person',
  'limit',
  'model',
  'text',
  'skill',
  'workflow',
  'agent',
  'entry',
  'setting',
  'renamed',
] as const;
export type CapabilityKind = (typeof capabilityKinds)[number];

export interface Subject {
  readonly agent?: string | undefined;
  readonly hook?: string | undefined;
  readonly tool?: string | undefined;
  readonly server?: string | undefined;
  readonly file?: string | undefined;
  /** The path of a setting, such as `limits.max_depth`. */
  readonly field?: string | undefined;
}

/** A line in one of the two folders. What is gone has its line in `before`. */
export interface Anchor {
  readonly side: 'before' | 'after';
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** The node of the graph, such as `agent:writer`, if the change belongs to one. */
  readonly node?: string | undefined;
}

type Path = readonly (string | number)[];

/** Where a change is written, by names that hold on both sides. */
export type Place =
  /** `gone`: it is written in the folder before alone. */
  | { readonly agent: string; readonly path?: Path; readonly gone?: boolean }
  /** `by` is the agent whose card connects the server, if another server has the same name. */
  | { readonly server: string; readonly path?: Path; readonly by?: string | undefined }
  | { readonly settings: Path; readonly gone?: boolean }
  | { readonly config: Path }
  | { readonly file: string; readonly line?: number };

/** A change before its lines are looked up. */
export type Found = Omit<CapabilityChange, 'anchor'> & { readonly at: Place };
type About = Pick<Found, 'kind' | 'subject' | 'at'>;

/** Compares a limit. `undefined` means that there is none. */
export function limitChange(
  about: About,
  name: string,
  before: number | undefined,
  after: number | undefined,
  show: (value: number) => string = String,
): Found[] {
  if (before === after) return [];
  const [was, is] = [before, after].map((value) => (value === undefined ? undefined : show(value)));
  const sentence =
    is === undefined
      ? `${name} is gone. It was ${was}.`
      : was === undefined
        ? `${name} is now ${is}. There was none.`
        : `${name} goes from ${was} to ${is}.`;
  return [
    {
      ...about,
      weight: (after ?? Infinity) > (before ?? Infinity) ? 'more' : 'less',
      sentence,
      before: was,
      after: is,
    },
  ];
}

/** Compares two lists without order. `say` gets an entry and whether it is new. New entries weigh `weight`. */
export function listChange(
  about: About | ((entry: string) => About),
  before: Iterable<string>,
  after: Iterable<string>,
  say: (entry: string, isNew: boolean) => string,
  weight: Weight = 'more',
): Found[] {
  const [old, now] = [new Set(before), new Set(after)];
  const found = (entry: string, isNew: boolean): Found => ({
    ...(typeof about === 'function' ? about(entry) : about),
    weight: isNew ? weight : mirrored(weight),
    sentence: say(entry, isNew),
  });
  return [
    ...[...now].filter((entry) => !old.has(entry)).map((entry) => found(entry, true)),
    ...[...old].filter((entry) => !now.has(entry)).map((entry) => found(entry, false)),
  ];
}

/** Compares a switch. `on` is the sentence when it is turned on, and being on weighs `weight`. */
export function switchChange(
  about: About,
  before: boolean,
  after: boolean,
  sentences: { readonly on: string; readonly off: string },
  weight: Weight = 'more',
): Found[] {
  if (before === after) return [];
  return [{ ...about, weight: after ? weight : mirrored(weight), sentence: after ? sentences.on : sentences.off }];
}

/** Compares two values without more or less. */
export function otherChange(
  about: About,
  before: string | undefined,
  after: string | undefined,
  say: (before: string | undefined, after: string | undefined) => string,
): Found[] {
  if (before === after) return [];
  return [{ ...about, weight: 'same-but-different', sentence: say(before, after), before, after }];
}

/** Compares two words of a list that is sorted from the least power to the most. */
export function rankedChange(
  about: About,
  ranks: readonly string[],
  before: string,
  after: string,
  sentence: string,
): Found[] {
  if (before === after) return [];
  const [old, now] = [ranks.indexOf(before), ranks.indexOf(after)];
  return [
    { ...about, weight: now > old ? 'more' : now < old ? 'less' : 'same-but-different', sentence, before, after },
  ];
}

export function mirrored(weight: Weight): Weight {
  return weight === 'more' ? 'less' : weight === 'less' ? 'more' : weight;
}

/** Writes names as `'a', 'b' and 'c'`. */
export function quoted(names: readonly string[]): string {
  const all = names.map((name) => `'${name}'`);
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}
