import { z } from 'zod';
import { recordOf } from '@/lib/base/record-of';
import { plainName } from './project-bodies';

/** Schemas of requests about revisions, drafts and labels (docs/http-api.md). Server actions take the same bodies. */

const number = z.int().min(1).max(2_147_483_647);
const name = plainName;
const note = z.string().max(10_000).default('');

export const revisionBody = z.strictObject({ draft: name.default('main'), version: z.int().optional(), message: note });

/** What a request is about. At most one is given. */
export const targetFields = { draft: name.optional(), revision: number.optional(), label: name.optional() } as const;

/** Names files: as for a run, or with the hash that a refused start names. */
export const filesFields = { ...targetFields, files: z.string().max(64).optional() } as const;

export const releaseBody = z
  .strictObject({
    label: name.default('live'),
    revision: number.optional(),
    draft: name.optional(),
    version: z.int().optional(),
    note,
    expected: number.nullable().optional(),
    override: z.string().max(10_000).optional(),
  })
  .refine(
    ({ revision, draft }) => revision === undefined || draft === undefined,
    'Give "revision" or "draft", not both.',
  );

/** Returns what a body asks for. Without a revision it is the draft `main`. */
export function releaseRequest({ revision, draft, version, ...rest }: z.infer<typeof releaseBody>) {
  return { ...rest, target: revision === undefined ? { draft: draft ?? 'main', version } : { revision } };
}

export const rollBackBody = z.strictObject({
  label: name.default('live'),
  to: number.optional(),
  expected: number.nullable().optional(),
  note,
});

export const restoreBody = z.strictObject({ draft: name.default('main') });

export const draftBody = z
  .strictObject({ name, draft: name.optional(), revision: number.optional() })
  .refine(
    ({ revision, draft }) => revision === undefined || draft === undefined,
    'Give "draft" or "revision", not both.',
  );

/** Returns what a new draft begins with: `main`, if the body names nothing. */
export function draftSource({ draft, revision }: z.infer<typeof draftBody>) {
  return revision === undefined ? { draft: draft ?? 'main' } : { revision };
}

/** What to keep of the files with a conflict is said for one version of the draft and one live revision. */
export const updateBody = z
  .strictObject({
    version: z.int().optional(),
    live: number.optional(),
    resolutions: recordOf(z.union([z.enum(['ours', 'theirs']), z.strictObject({ text: z.string() })])).optional(),
  })
  .refine(
    ({ version, live, resolutions }) => resolutions === undefined || (version !== undefined && live !== undefined),
    'Give "version" and "live" with "resolutions": what the conflicts were answered for.',
  );

export const draftNameBody = z.strictObject({ name });

/** Reads the number of a revision from a path. Text that is none is 0, which no revision has. */
export function revisionNumber({ number: text }: { readonly number: string }): number {
  return number.catch(0).parse(Number(text));
}

/** Reads the name of a draft from a path. Text that cannot be one is empty, which no draft is called. */
export function draftName({ draft }: { readonly draft: string }): string {
  return name.catch('').parse(draft);
}

const limit = z.coerce.number().int().min(1).max(200).default(50);
const before = z.coerce.number().int().min(1).max(2_147_483_647).optional();
export const revisionsQuery = z.object({ limit, before });
export const releasesQuery = z.object({ limit, before, label: name.optional() });
export const draftQuery = z.object({ draft: name.optional() });

/** Names the files of a request: a revision, a label or a draft. */
export const targetQuery = z.object({
  revision: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
  label: name.optional(),
  draft: name.optional(),
});

/** As `targetQuery`, or the files themselves. */
export const filesQuery = targetQuery.extend({ files: filesFields.files });
