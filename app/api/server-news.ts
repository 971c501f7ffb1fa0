import { z } from 'zod';
import { offerKinds, type ServerNews } from '@/lib/base/known-servers';
import { recordOf } from '@/lib/base/record-of';

/** The schema of what an editor tells about the MCP servers of its project. */

const name = z
  .string()
  .min(1)
  .max(300)
  .refine((text) => !/[\p{Cc}\p{Surrogate}]/u.test(text), 'A name has no control characters.');
const text = z.string().max(20_000);
const prints = recordOf(z.string().max(64)).refine((all) => Object.keys(all).length <= 5_000, 'At most 5000 names.');

const listing = z.strictObject({
  tools: z
    .array(
      z.strictObject({
        name: text,
        description: text.optional(),
        inputSchema: z.record(z.string(), z.json()),
        readOnly: z.boolean().optional(),
      }),
    )
    .max(5_000),
  resources: z
    .array(z.strictObject({ uri: text, name: text, description: text.optional(), mimeType: text.optional() }))
    .max(5_000),
  prompts: z
    .array(
      z.strictObject({
        name: text,
        description: text.optional(),
        arguments: z.array(z.strictObject({ name: text, required: z.boolean() })).max(500),
      }),
    )
    .max(5_000),
  probedAt: z.number().min(0).max(8.64e15),
});

const news = z.discriminatedUnion('news', [
  z.strictObject({
    news: z.literal('listed'),
    server: name,
    listing,
    prints: z.strictObject({ tools: prints, resources: prints, prompts: prints }),
  }),
  z.strictObject({
    news: z.literal('picked'),
    server: name,
    agent: name,
    kind: z.enum(offerKinds),
    prints,
    first: z.boolean(),
  }),
  z.strictObject({ news: z.literal('renamed'), from: name, to: name }),
]);

/** A listing whose schemas are larger is sent without them (lib/editor/known-servers.ts). */
const mostCharacters = 4_000_000;

export const serverNews: z.ZodType<readonly ServerNews[]> = z
  .array(news)
  .min(1)
  .max(500)
  .refine((all) => JSON.stringify(all).length <= mostCharacters, 'They have more than 4 million characters.');
