import type { Settings } from '@/lib/cards/settings';
import { type Found, limitChange, switchChange } from './capability-change';
import type { AgentPair, Side, Sides } from './project-side';

type Limits = Settings['limits'];
type NumberLimit = Exclude<keyof Limits, 'when_spent'>;

/** The words of each limit of a project, and its default. `undefined` is no limit. The defaults are in docs/limits.md. */
const projectLimits: readonly (readonly [NumberLimit, string, number | undefined])[] = [
  ['max_parallel', 'The limit of parallel calls', 128],
  ['max_depth', 'The limit of nested agents', 5],
  ['max_iterations', 'The limit of model calls of an agent', 100],
  ['child_timeout_ms', 'The time limit of child agents in ms', undefined],
  ['run_timeout_ms', 'The time limit of a run in ms', 30 * 60_000],
  ['max_tokens', 'The limit of tokens of a run', undefined],
  ['max_cost_usd', 'The limit of US dollars of a run', undefined],
  ['max_answer_bytes', 'The limit of bytes of a model answer', 32 * 1024 * 1024],
  ['max_result_bytes', 'The limit of bytes of a tool result', 256 * 1024],
  ['max_artifact_bytes', 'The limit of bytes of an artifact', 1024 * 1024],
];

export function projectLimitChanges({ before, after }: Sides): Found[] {
  const [old, now] = [before.parsed.settings.limits, after.parsed.settings.limits];
  const about = (field: keyof Limits) => ({
    kind: 'limit' as const,
    subject: { field: `limits.${field}` },
    at: { settings: ['limits', field] },
  });
  return [
    ...projectLimits.flatMap(([field, words, usual]) =>
      limitChange(about(field), words, old[field] ?? usual, now[field] ?? usual),
    ),
    ...switchChange(about('when_spent'), old.when_spent === 'ask', now.when_spent === 'ask', {
      on: 'A person may now raise a limit of tokens or dollars that is spent.',
      off: 'A run now stops when its limit of tokens or dollars is spent.',
    }),
  ];
}

/** The limits of one card. Its other request parameters are told as they are. */
export function cardLimitChanges(sides: Sides, { name, card, before, after, isKept }: AgentPair): Found[] {
  if (!isKept) return [];
  const about = (field: string) => ({
    kind: 'limit' as const,
    subject: { agent: name, field },
    at: { agent: name, path: field.split('.') },
  });
  const parameter = (field: string, words: string, usual?: NumberLimit) => {
    const [was, is] = [before, after].map(({ requestParams }) => asNumber(requestParams[field]));
    return ownLimitChange(sides, about(`request_params.${field}`), words, was, is, usual);
  };
  const [old, now] = [card.before, card.after];
  return [
    ...ownLimitChange(
      sides,
      about('max_parallel'),
      `The limit of parallel calls of agent '${name}'`,
      before.maxParallel,
      after.maxParallel,
      'max_parallel',
    ),
    ...ownLimitChange(
      sides,
      about('child_timeout_sec'),
      `The time limit of children of agent '${name}' in ms`,
      inMs(before.childTimeoutSec),
      inMs(after.childTimeoutSec),
      'child_timeout_ms',
    ),
    ...parameter('max_iterations', `The limit of tool rounds of agent '${name}'`, 'max_iterations'),
    ...parameter('max_tokens', `The limit of tokens of an answer of agent '${name}'`),
    ...parameter('streaming_timeout', `The limit of seconds of an answer of agent '${name}'`),
    ...(old?.type === 'evaluator_optimizer' && now?.type === 'evaluator_optimizer'
      ? limitChange(
          about('max_refinements'),
          `The limit of refinements of '${name}'`,
          old.maxRefinements,
          now.maxRefinements,
        )
      : []),
    ...(old?.type === 'MAKER' && now?.type === 'MAKER'
      ? [
          ...limitChange(about('max_samples'), `The limit of samples of '${name}'`, old.maxSamples, now.maxSamples),
          ...limitChange(
            about('red_flag_max_length'),
            `The longest vote of '${name}'`,
            old.redFlagMaxLength,
            now.redFlagMaxLength,
          ),
        ]
      : []),
    ...(old !== undefined && now !== undefined && 'planIterations' in old && 'planIterations' in now
      ? limitChange(
          about('plan_iterations'),
          `The limit of plans of '${name}'`,
          endless(old.planIterations),
          endless(now.planIterations),
        )
      : []),
    ...(old?.type === 'a2a' && now?.type === 'a2a'
      ? limitChange(
          about('request_timeout_seconds'),
          `The time limit of requests to the remote agent '${name}'`,
          old.requestTimeoutSeconds,
          now.requestTimeoutSeconds,
          (s) => `${s} s`,
        )
      : []),
  ];
}

/** Returns a limit of the project, or its default. `undefined` is no limit. */
export function projectLimit({ parsed }: Side, field: NumberLimit): number | undefined {
  return parsed.settings.limits[field] ?? projectLimits.find(([name]) => name === field)?.[2];
}

/** Compares a limit of an agent that, where it is not set, is the project's. A limit of the project that changed is told once, there. */
function ownLimitChange(
  { before, after }: Sides,
  about: Parameters<typeof limitChange>[0],
  words: string,
  was: number | undefined,
  is: number | undefined,
  usual: NumberLimit | undefined,
): Found[] {
  if (was === is) return [];
  const fallback = (side: Side) => (usual === undefined ? undefined : projectLimit(side, usual));
  return limitChange(about, words, was ?? fallback(before), is ?? fallback(after));
}

function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}

/** A number below 1 stands for no limit of plans. */
function endless(iterations: number): number | undefined {
  return iterations < 1 ? undefined : iterations;
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
