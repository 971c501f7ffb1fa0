import { z } from 'zod';
import { againRequest } from '@/lib/base/again-request';
import { mostFiles } from '@/lib/base/conversation';
import { leftOutList } from '@/lib/base/left-out-list';
import { runMarksFields } from '@/lib/base/run-marks-fields';
import { editorRequest } from '@/lib/base/task-request';

/** Schemas of requests that change a project (docs/http-api.md). Server actions take the same bodies. */

export const blobHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'A hash is 64 hexadecimal digits, as reading the files gives it.');

const changes = z.array(
  z.union([
    z.strictObject({ path: z.string(), text: z.string().nullable() }),
    z.strictObject({ path: z.string(), hash: blobHash }),
    z.strictObject({ path: z.string(), base64: z.base64() }),
  ]),
);

/** The name of a draft or a label. */
export const plainName = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[^\p{Cc}\p{Surrogate}]*$/u, 'Leave out control characters.');

/** The draft that an editor shows. */
const draft = plainName.optional();

/** `brought`: the changes have text or files from elsewhere, which a person pasted, dropped or uploaded. */
export const saveBody = z.strictObject({
  baseVersion: z.int(),
  changes: changes.min(1),
  draft,
  brought: z.boolean().optional(),
});

/** `changes` are made to a copy of the saved files; nothing is saved. */
export const taskBody = z.strictObject({ request: editorRequest, changes, draft });

const messageFile = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1, 'Give a name.')
      .max(200, 'At most 200 characters.')
      .regex(/^[^\p{Cc}\p{Surrogate}]*$/u, 'Leave out control characters.'),
    mediaType: z
      .string()
      .max(200, 'At most 200 characters.')
      .regex(/^[\w.+-]+\/[\w.+-]+$/, 'Give a type such as image/png.')
      .toLowerCase(),
    text: z.string().optional(),
    data: z.base64('Give the bytes in base64.').optional(),
  })
  .refine(({ text, data }) => (text === undefined) !== (data === undefined), 'Give either "text" or "data".');

export const runBody = z.strictObject({
  agent: z.string().min(1).optional(),
  /** Needed unless `again` gives one. */
  message: z.string().optional(),
  model: z.string().trim().min(1).optional(),
  correlationId: z.string().trim().min(1).max(200).optional(),
  again: againRequest.optional(),
  /** `new`, or the id of a conversation. */
  conversationId: z.string().min(1).max(200).optional(),
  /** At most one of these three. Without any it is live. */
  revision: z.int().min(1).max(2_147_483_647).optional(),
  label: plainName.optional(),
  draft,
  attachments: z.array(messageFile).max(mostFiles, `At most ${mostFiles} files.`).optional(),
  leftOut: leftOutList.optional(),
  ...runMarksFields,
});

/** Returns the input of a run from its body. */
export function runInput<Body extends Pick<z.infer<typeof runBody>, 'revision' | 'label' | 'draft'>>(body: Body) {
  const { revision, label, draft, ...input } = body;
  const isNamed = revision !== undefined || label !== undefined || draft !== undefined;
  return { ...input, ...(isNamed && { target: { revision, label, draft } }) };
}

export const pinBody = z.strictObject({
  run: z.string().min(1).max(200),
  seq: z.int().min(1),
  match: z.enum(['equal', 'all']).default('equal'),
});

export const confirmBody = z.strictObject({
  hash: z.string().regex(/^[0-9a-f]{64}$/, 'is the "hash" that GET answers: 64 hexadecimal digits.'),
});
