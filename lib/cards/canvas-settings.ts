import { z } from 'zod';

/** The key `canvas` of callboard.yaml: what only people see. Runs, cards and exports ignore it. */

/** A number in canvas units, limited so that sizes and sums stay exact. */
const coordinate = z.number().min(-10_000_000).max(10_000_000);
const point = z.strictObject({ x: coordinate, y: coordinate });

const note = z.strictObject({
  id: z.string(),
  text: z.string(),
  x: coordinate,
  y: coordinate,
  width: z.number().optional(),
  height: z.number().optional(),
});

export const groupColours = ['grey', 'blue', 'green', 'amber', 'red', 'violet'] as const;

const group = z.strictObject({
  id: z.string(),
  title: z.string(),
  colour: z.enum(groupColours).optional(),
  description: z.string().optional(),
  /** Ids of nodes and notes, such as `agent:lead` or `note:n1`. The frame is drawn round those that exist. */
  members: z.array(z.string()).default([]),
});

export const canvasSettings = z
  .strictObject({
    /** The top left corner of each node by its id, in canvas units. */
    positions: z.record(z.string(), point).default({}),
    /** Texts beside the nodes. */
    notes: z.array(note).default([]),
    /** Frames round nodes that belong together. */
    groups: z.array(group).default([]),
  })
  .default({ positions: {}, notes: [], groups: [] });

export type CanvasNote = z.infer<typeof note>;
export type CanvasGroup = z.infer<typeof group>;
export type GroupColour = (typeof groupColours)[number];
