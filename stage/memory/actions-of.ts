import type { ActionResult } from '@/app/action';
import type { Answers } from './backend';

type Handlers<M> = {
  readonly [K in keyof M]?: M[K] extends (input: infer I) => Promise<ActionResult<infer T>>
    ? (input: I) => T | Promise<T>
    : never;
};

/**
 * Answers server actions with the types of their file: `actionsOf<typeof import('@/app/p/[project]/actions')>('p/[project]/actions', { save })`.
 * An answer that throws a `Refusal` refuses.
 */
export function actionsOf<M>(file: string, handlers: Handlers<M>): Answers {
  const rows = Object.entries<unknown>(handlers).filter(([, handler]) => typeof handler === 'function');
  return Object.fromEntries(
    rows.map(([name, handler]) => [
      `${file}.${name}`,
      (input) => Reflect.apply(asFunction(handler), undefined, [input]),
    ]),
  );
}

function asFunction(value: unknown): (...args: readonly unknown[]) => unknown {
  if (typeof value !== 'function') throw new Error('Bug: an answer is a function');
  return (...args) => Reflect.apply(value, undefined, args);
}
