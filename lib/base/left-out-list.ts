import { z } from 'zod';
import { type LeftOut, leftOutKey } from './left-out';

const name = z.string().min(1).max(500);

/** The most things that a run leaves out. */
const mostLeftOut = 1_000;

/** Reads what a run does without, from a request and from the database. What is named twice counts once. */
export const leftOutList = z
  .array(
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('agent'), name }),
      z.strictObject({ kind: z.literal('server'), name }),
      z.strictObject({ kind: z.literal('tool'), server: name, name }),
      z.strictObject({ kind: z.literal('function'), name }),
    ]),
  )
  .max(mostLeftOut, `At most ${mostLeftOut} things.`)
  .readonly()
  .transform((list): readonly LeftOut[] => [...new Map(list.map((one) => [leftOutKey(one), one])).values()]);
